#!/bin/bash
# Everything follows from a few numbers
GPUS_PER_NODE=8
NNODES=12
TP=4 PP=4 VPP=2 CP=1
WORLD=$((GPUS_PER_NODE * NNODES))
DP=$((WORLD / (TP * PP * CP)))
MBS=1
ACC=$((4 * PP))
GBS=$(( MBS * DP * ACC ))
LAYERS=48
LPV=$((LAYERS / (PP * VPP)))
TOKENS=300000000000
SEQ=$((4 * 1024))
ITERS=$((TOKENS / (GBS * SEQ)))
ARGS="--num-layers $LAYERS --hidden-size $((64 * 128)) --num-attention-heads 64 --seq-length $SEQ --max-position-embeddings $SEQ"
ARGS="$ARGS --micro-batch-size $MBS --global-batch-size $GBS --train-iters $ITERS"
ARGS="$ARGS --tensor-model-parallel-size $TP --pipeline-model-parallel-size $PP"
[ $VPP -gt 1 ] && ARGS="$ARGS --num-layers-per-virtual-pipeline-stage $LPV"
ARGS+=" --recompute-granularity full --recompute-method block --recompute-num-layers 3 --vocab-size 50304 --bf16"
torchrun --nnodes $NNODES --nproc_per_node $GPUS_PER_NODE pretrain_gpt.py $ARGS
