#!/bin/bash
# A function starts the run; the outer stages hold fewer layers; hybrid sharding of the optimizer
launch() {
  local nodes=$1
  shift
  torchrun --nnodes "$nodes" --nproc_per_node 8 pretrain_gpt.py "${MODEL[@]}" "${RUN[@]}"
}
MODEL=( --num-layers 62 --hidden-size 8192 --num-attention-heads 64 --group-query-attention --num-query-groups 8
        --ffn-hidden-size 28672 --swiglu --normalization RMSNorm --disable-bias-linear --untie-embeddings-and-output-weights
        --position-embedding-type rope --max-position-embeddings 8192 --seq-length 8192 --vocab-size 128256 )
RUN=( --tensor-model-parallel-size 4 --pipeline-model-parallel-size 4 --context-parallel-size 2 --cp-comm-type a2a
      --decoder-first-pipeline-num-layers 15 --decoder-last-pipeline-num-layers 15 --sequence-parallel
      --micro-batch-size 1 --global-batch-size 512 --bf16 --use-distributed-optimizer --overlap-grad-reduce
      --num-distributed-optimizer-instances 2 --tp-comm-overlap )
launch 32
