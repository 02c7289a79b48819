"""Configurations as functions: the form that came after TOML."""
from torchtitan.components.optimizer import OptimizersContainer
from torchtitan.config import ActivationCheckpointConfig, CompileConfig, ParallelismConfig, TrainingConfig
from torchtitan.trainer import Trainer

from . import model_registry

SEQUENCE = 8 * 1024


def llama3_8b() -> Trainer.Config:
    """One node."""
    return Trainer.Config(
        hf_assets_path="./assets/hf/Llama-3.1-8B",
        model_spec=model_registry("8B"),
        optimizer=OptimizersContainer.Config(lr=3e-4),
        training=TrainingConfig(
            local_batch_size=1,
            seq_len=SEQUENCE,
            steps=1_000,
        ),
        parallelism=ParallelismConfig(data_parallel_shard_degree=8),
        activation_checkpoint=ActivationCheckpointConfig(mode="selective"),  # the per-operator policy
    )


def llama3_8b_two_dimensions() -> Trainer.Config:
    config = llama3_8b()
    config.parallelism.tensor_parallel_degree = 2
    config.parallelism.data_parallel_shard_degree = 4
    for name in ["a", "b"]:
        print(name)
    config.compile = CompileConfig(enable=True)
    return config
