import nemo_run as run
from nemo.collections import llm


def configure_recipe(nodes: int = 4, gpus_per_node: int = 8):
    recipe = llm.llama3_70b.pretrain_recipe(
        dir="/checkpoints/llama3",
        name="llama3_70b",
        num_nodes=4,
        num_gpus_per_node=8,
    )
    recipe.trainer.strategy.tensor_model_parallel_size = 4
    recipe.trainer.strategy.pipeline_model_parallel_size = 4
    recipe.trainer.strategy.virtual_pipeline_model_parallel_size = 5
    recipe.trainer.strategy.context_parallel_size = 2
    recipe.trainer.strategy.sequence_parallel = True
    recipe.data.micro_batch_size = 1
    recipe.data.global_batch_size = 128
    recipe.data.seq_length = 8192
    recipe.trainer.max_steps = 100
    return recipe


if __name__ == "__main__":
    run.run(configure_recipe())
