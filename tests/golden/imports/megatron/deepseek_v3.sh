#!/bin/bash
# DeepSeek-V3 on 128 nodes of 8 H100: layout string, latent attention, expert parallel
MODEL="--num-layers 61 --hidden-size 7168 --ffn-hidden-size 18432 --num-attention-heads 128 --kv-channels 128 \
--multi-latent-attention --q-lora-rank 1536 --kv-lora-rank 512 --qk-head-dim 128 --qk-pos-emb-head-dim 64 --v-head-dim 128 \
--swiglu --normalization RMSNorm --disable-bias-linear --untie-embeddings-and-output-weights --position-embedding-type rope \
--max-position-embeddings 4096 --seq-length 4096 --vocab-size 129280 --make-vocab-size-divisible-by 3232 --qk-layernorm"
MOE="--num-experts 256 --moe-layer-freq ([0]*3+[1]*58) --moe-ffn-hidden-size 2048 --moe-shared-expert-intermediate-size 2048 \
--moe-router-topk 8 --moe-router-num-groups 8 --moe-router-group-topk 4 --moe-router-score-function sigmoid \
--moe-router-enable-expert-bias --moe-token-dispatcher-type flex --moe-flex-dispatcher-backend deepep --moe-grouped-gemm"
PARALLEL="--tensor-model-parallel-size 1 --pipeline-model-parallel-size 16 --expert-model-parallel-size 64 \
--expert-tensor-parallel-size 1 --pipeline-model-parallel-layout Ettt|(tt|)*29,m|L --mtp-num-layers 1 --use-distributed-optimizer"
TRAIN="--micro-batch-size 1 --global-batch-size 8192 --train-samples 585937500 --bf16 --fp8-format e4m3 --fp8-recipe blockwise \
--recompute-granularity selective --recompute-modules mla_up_proj moe_act layernorm --use-precision-aware-optimizer \
--main-grads-dtype fp32 --exp-avg-dtype bf16 --exp-avg-sq-dtype bf16"
torchrun --nnodes=128 --nproc-per-node=8 --rdzv-backend=c10d --rdzv-endpoint=$HEAD:29500 pretrain_gpt.py $MODEL $MOE $PARALLEL $TRAIN
