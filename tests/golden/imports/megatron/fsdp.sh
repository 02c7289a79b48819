#!/bin/bash
# Megatron FSDP on one block of GB200 racks
unset CUDA_DEVICE_MAX_CONNECTIONS
GPU_TYPE=gb200
torchrun --nnodes 18 --nproc_per_node 4 pretrain_gpt.py \
  --use-megatron-fsdp --data-parallel-sharding-strategy optim_grads_params --ckpt-format fsdp_dtensor \
  --num-layers 80 --hidden-size 8192 --ffn-hidden-size 28672 --num-attention-heads 64 --group-query-attention --num-query-groups 8 \
  --seq-length 8192 --max-position-embeddings 131072 --position-embedding-type rope --swiglu --normalization RMSNorm \
  --disable-bias-linear --untie-embeddings-and-output-weights --vocab-size 128256 \
  --micro-batch-size 1 --global-batch-size 576 --train-iters 10000 --bf16 --fp8-format e4m3 --fp8-recipe mxfp8 \
  --recompute-granularity full --recompute-method uniform --recompute-num-layers 1
