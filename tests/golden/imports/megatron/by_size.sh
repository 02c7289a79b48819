#!/bin/bash
# One script for several sizes; 13B unless the environment says otherwise
MODEL_SIZE=${MODEL_SIZE:-13B}
TP=${TP:-2}
PP=${PP:-2}
if [ "$MODEL_SIZE" = "7B" ]; then
  HIDDEN_SIZE=4096; NUM_HEAD=32; NUM_QUERY_GROUP=32; NUM_LAYERS=32; FFN_HIDDEN_SIZE=11008
elif [ "$MODEL_SIZE" = "13B" ]; then
  HIDDEN_SIZE=5120; NUM_HEAD=40; NUM_QUERY_GROUP=40; NUM_LAYERS=40; FFN_HIDDEN_SIZE=13824
elif [ "$MODEL_SIZE" = "70B" ]; then
  HIDDEN_SIZE=8192; NUM_HEAD=64; NUM_QUERY_GROUP=8; NUM_LAYERS=80; FFN_HIDDEN_SIZE=28672
else
  echo "MODEL_SIZE $MODEL_SIZE is not known"
  exit 1
fi
torchrun --nproc_per_node=8 --nnodes=4 pretrain_gpt.py \
  --tensor_model_parallel_size=$TP --pipeline_model_parallel_size=$PP --sequence_parallel \
  --num_layers=$NUM_LAYERS --hidden_size=$HIDDEN_SIZE --ffn_hidden_size=$FFN_HIDDEN_SIZE \
  --num_attention_heads=$NUM_HEAD --num_query_groups=$NUM_QUERY_GROUP --group_query_attention \
  --seq_length=4096 --max_position_embeddings=4096 --position_embedding_type=rope \
  --micro_batch_size=1 --global_batch_size=1_024 --train_iters=50_000 \
  --swiglu --normalization=RMSNorm --disable_bias_linear --untie_embeddings_and_output_weights \
  --tokenizer_type=Llama2Tokenizer --bf16 --use_distributed_optimizer
