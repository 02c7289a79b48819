# The newest form counts tokens instead of sequences.
def deepseek_v3_671b():
    micro_batch = 2
    pipeline = 8
    return Trainer.Config(
        model_spec=model_registry("671B"),
        training=TrainingConfig(
            num_tokens_per_microbatch_per_dp_rank=4096 * micro_batch,
            num_tokens_per_train_step=4096 * 4096,
            max_context_length=4096,
            steps=10000,
            mixed_precision_param="bfloat16",
            mixed_precision_reduce="bfloat16",
        ),
        parallelism=ParallelismConfig(
            data_parallel_replicate_degree=2,
            data_parallel_shard_degree=32,
            fsdp_reshard_after_forward="never",
            tensor_parallel_degree=1,
            expert_parallel_degree=32,
            pipeline_parallel_degree=pipeline,
            pipeline_parallel_schedule="ZBVZeroBubble",
            num_pp_microbatches=8,
        ),
        activation_checkpoint=FullAC.Config(),
    )
