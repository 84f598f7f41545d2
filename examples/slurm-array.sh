#!/bin/bash
# Sends transactions.csv in four shards:  sbatch slurm-array.sh
#
#SBATCH --job-name=dataimport
#SBATCH --array=1-4
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=dataimport-%A_%a.log
# The journals are on a disk of this node, so every shard has to come back to it.
#SBATCH --nodelist=node01

set -u

# The number of shards. A job that starts only some of them again (--array=3) is refused without it.
export DATAIMPORT_SHARD_COUNT=4
export DATAIMPORT_BASE_URL=https://platform.example
# The key is in a file that only its owner may read: apiKeyFile in dataimport.config.yaml.

# Not in the home folder, which is on a network file system on most clusters.
runs=/var/lib/dataimport/transactions

srun --ntasks=1 dataimport push transactions transactions.csv --shard auto \
  --run-dir "$runs" --rate-limit 40/s
code=$?

case $code in
  # Unfinished, busy, or ended: the same command goes on (docs/exit-codes.md).
  5 | 10 | 130 | 137 | 143)
    if [ "${SLURM_RESTART_COUNT:-0}" -lt 20 ]; then
      sleep 30
      scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
    fi
    ;;
esac
exit "$code"
