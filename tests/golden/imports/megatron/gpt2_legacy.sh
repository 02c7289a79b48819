#! /bin/bash
# An old script: arguments that have other names today
RANK=0
WORLD_SIZE=8
DATA_PATH=/data/openwebtext_text_document
CHECKPOINT_PATH=/checkpoints/gpt2_8b

DISTRIBUTED_ARGS="--nproc_per_node $WORLD_SIZE --nnodes 1 --node_rank 0 --master_addr localhost --master_port 6000"

python -m torch.distributed.launch $DISTRIBUTED_ARGS \
       pretrain_gpt2.py \
       --model-parallel-size 8 \
       --num-layers 72 \
       --hidden-size 3072 \
       --num-attention-heads 24 \
       --batch-size 8 \
       --global-batch-size 64 \
       --seq-length 1024 \
       --max-position-embeddings 1024 \
       --train-iters 320000 \
       --save $CHECKPOINT_PATH \
       --load $CHECKPOINT_PATH \
       --data-path $DATA_PATH \
       --vocab-file gpt2-vocab.json \
       --merge-file gpt2-merges.txt \
       --tokenizer-type GPT2BPETokenizer \
       --lr 0.00015 \
       --checkpoint-activations \
       --fp16
