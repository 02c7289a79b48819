#include <fmt/format.h>

#include "core/io/export/export_megatron.h"
#include "core/io/export/exporter.h"

namespace trainyard {
namespace {

constexpr std::string_view kTarget = "Slurm with Megatron-LM (Megatron Core 0.20)";

}  // namespace

Result<Exported> exportSlurm(const Scenario& s, const Evaluation&) {
    ExportNotes notes("Megatron-LM under Slurm");
    const auto arguments = megatronArguments(s, notes);
    if (notes.refused()) return notes.result("");
    const LaunchPlan launch = launchPlan(s);
    std::string name;
    for (const char c : s.name.empty() ? s.model->name : s.name)
        name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ? c : '-';
    std::string out = "#!/bin/bash\n";
    out += fmt::format("#SBATCH --job-name={}\n", name.empty() ? "training" : name.substr(0, 60));
    out += fmt::format("#SBATCH --nodes={}\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-node={}\n", launch.nodes,
                       launch.devicesPerNode);
    out += "#SBATCH --exclusive\n#SBATCH --mem=0\n#SBATCH --output=%x-%j.out\n";
    out += exportHeading("#", "Batch script", kTarget, s, notes);
    out +=
        "# Submit it with sbatch from a Megatron-LM checkout; add your partition, account and time limit. The data are mock "
        "data\n"
        "# and the learning rate is a placeholder: put in your own.\n"
        "set -euo pipefail\n\n";
    out += megatronEnvironment(s, arguments);
    out += "MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\nMASTER_PORT=${MASTER_PORT:-29500}\n";
    out += fmt::format("GPUS_PER_NODE={}\n\n", launch.devicesPerNode);
    out +=
        "srun torchrun \\\n"
        "    --nnodes \"$SLURM_JOB_NUM_NODES\" --nproc_per_node \"$GPUS_PER_NODE\" \\\n"
        "    --rdzv_id \"$SLURM_JOB_ID\" --rdzv_backend c10d --rdzv_endpoint \"$MASTER_ADDR:$MASTER_PORT\" \\\n"
        "    pretrain_gpt.py";
    for (const auto* group : {&arguments.model, &arguments.training, &arguments.parallel, &arguments.data})
        for (const auto& argument : *group) out += fmt::format(" \\\n    {}", argument);
    out += "\n";
    return notes.result(std::move(out), "sbatch train.sbatch");
}

}  // namespace trainyard
