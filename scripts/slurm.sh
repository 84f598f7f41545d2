#!/bin/bash
# scripts/slurm.sh [kills]   (default: 200)
#
# Sends generated files with examples/slurm-array.sh as an array of eight under a real Slurm on this machine, kills and requeues its
# tasks at random, and compares the union of what arrived with one push without shards: nothing lost, nothing twice.
# Needs root and Debian's packages: apt-get install slurmctld slurmd slurm-client
#
# Exit 0 when all rounds agree, 1 when one does not, 2 without Slurm.

set -u

kills=${1:-200}
shards=8
accounts=${ACCOUNTS:-48}
rows=${ROWS:-12}
root=$(cd "$(dirname "$0")/.." && pwd)
node=$(node "$root/scripts/pinned-node.mjs" -p process.execPath) || exit 2
for program in slurmctld slurmd sbatch scontrol; do
  command -v "$program" >/dev/null || { echo "scripts/slurm.sh: $program is not installed" >&2; exit 2; }
done

work=$(mktemp -d)
started=()
ended() {
  scancel --user="$(id -un)" 2>/dev/null
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; done
  wait 2>/dev/null
  [ "${KEEP:-}" = 1 ] && echo "kept: $work" >&2 || rm -rf "$work"
}
trap ended EXIT
trap 'exit 130' INT TERM

# Slurm: one machine that claims eight processors, without MUNGE.
name=$(hostname -s)
export SLURM_CONF=$work/slurm.conf
mkdir -p "$work/state" "$work/spool" "$work/bin" "$work/night"
cat >"$SLURM_CONF" <<END
ClusterName=rehearsal
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=$(id -un)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=1,sched_interval=2
SlurmdParameters=config_overrides
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ReturnToService=2
KillWait=2
JobRequeue=1
MpiDefault=none
NodeName=$name NodeAddr=127.0.0.1 CPUs=$shards State=UNKNOWN
PartitionName=all Nodes=$name Default=YES MaxTime=INFINITE State=UP
END
slurmctld -D >/dev/null 2>&1 &
started+=($!)
slurmd -D >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 60); do
  [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ] && break
  sleep 2
done
[ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ] || {
  echo "scripts/slurm.sh: Slurm does not start" >&2
  tail -5 "$work/slurmctld.log" "$work/slurmd.log" >&2
  exit 2
}

# The command under its own name, for the example.
printf '#!/bin/sh\nexec "%s" "%s/bin/dataimport.js" "$@"\n' "$node" "$root" >"$work/bin/dataimport"
chmod +x "$work/bin/dataimport"
export PATH=$work/bin:$PATH
export DATAIMPORT_API_KEY=local-key DATAIMPORT_SUPPLIER=ACME

{
  echo 'version: 1'
  echo 'api_keys: [{ key: local-key, suppliers: [ACME] }]'
  echo 'suppliers: [{ code: ACME, name: Acme Energy, status: Ongoing }]'
  echo 'accounts:'
  for account in $(seq "$accounts"); do
    echo "  - { import_supplier: ACME, external_account_number: '$((10000 + account))', state: imported }"
  done
} >"$work/seed.yaml"

# A platform of its own for each way of sending. Prints its address.
platform() {
  dataimport serve --port 0 --db "$work/$1.sqlite" --seed "$work/seed.yaml" >"$work/$1.log" 2>&1 &
  started+=($!)
  for _ in $(seq 60); do
    url=$(grep -o 'http://127.0.0.1:[0-9]*' "$work/$1.log" | head -1)
    [ -n "$url" ] && return
    sleep 1
  done
  echo "scripts/slurm.sh: the platform does not start" >&2
  cat "$work/$1.log" >&2
  exit 2
}
platform whole
whole_url=$url
platform array
array_url=$url

# The example with the values of this machine.
sed -e "s|^#SBATCH --array=.*|#SBATCH --array=1-$shards|" \
  -e "s|^#SBATCH --nodelist=.*|#SBATCH --nodelist=$name|" \
  -e "s|^#SBATCH --output=.*|#SBATCH --output=$work/night/%A_%a.log|" \
  -e "s|^export DATAIMPORT_SHARD_COUNT=.*|export DATAIMPORT_SHARD_COUNT=$shards|" \
  -e "s|^export DATAIMPORT_BASE_URL=.*|export DATAIMPORT_BASE_URL=$array_url|" \
  -e "s|^runs=.*|runs=$work/runs-\$ROUND|" \
  -e 's|sleep 30|sleep 1|' \
  -e 's|-lt 20 |-lt 1000 |' \
  "$root/examples/slurm-array.sh" >"$work/array.sh"

# The records of a platform: account and content, in the order in which each account got them.
ledger() {
  curl -fsS "$1/_local/ledger" | "$node" -e '
    const lines = require("node:fs").readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line));
    for (const { external_account_number: account, data } of lines) console.log(`${account} ${JSON.stringify(data)}`);
  ' | sort --stable --key=1,1
}

# The tasks that run, as job_task.
running() { squeue --noheader --array --states=RUNNING --format=%A_%F_%K | awk -F_ '{ print $2 "_" $3 }'; }

# A requeued task waits for two minutes unless its time is set.
hurry() {
  squeue --noheader --array --states=PENDING --format=%A | while read -r job; do
    scontrol update "jobid=$job" StartTime=now 2>/dev/null
    scontrol release "$job" 2>/dev/null
  done
}

# The processes of a task, by its number. SLURM_ARRAY_TASK_ID is in the environment of each.
processes_of() {
  for environ in /proc/[0-9]*/environ; do
    pid=${environ#/proc/}
    pid=${pid%/environ}
    tr '\0' '\n' <"$environ" 2>/dev/null | grep -qx "SLURM_ARRAY_TASK_ID=$1" || continue
    tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -q "^$node $root/bin/dataimport.js" && echo "$pid"
  done 2>/dev/null
}

cd "$work/night" || exit 2
done_kills=0
requeues=0
round=0
failed=0
RANDOM=${SEED:-1}
began=$(date +%s)
while [ "$done_kills" -lt "$kills" ]; do
  round=$((round + 1))
  {
    echo 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount'
    for row in $(seq "$rows"); do
      for account in $(seq "$accounts"); do
        echo "ACME,$((10000 + account)),r$round-$account-$row,2026-01-$(printf %02d $((row % 28 + 1))),CREDIT,$row.$((account + 10))"
      done
    done
  } >transactions.csv
  dataimport push transactions transactions.csv --base-url "$whole_url" --run-dir "$work/whole-$round" --no-progress >/dev/null ||
    { echo "round $round: the push without shards failed" >&2; exit 1; }
  DATAIMPORT_BATCH_SIZE=2 ROUND=$round sbatch --export=ALL "$work/array.sh" >/dev/null || exit 2
  while [ -n "$(squeue --noheader 2>/dev/null)" ]; do
    sleep "$((1 + RANDOM % 3))"
    hurry
    [ "$done_kills" -lt "$kills" ] || continue
    mapfile -t tasks < <(running)
    [ "${#tasks[@]}" -gt 0 ] || continue
    task=${tasks[RANDOM % ${#tasks[@]}]}
    if [ $((RANDOM % 2)) = 0 ]; then
      # Slurm kills the task and starts it again.
      scontrol requeue "$task" 2>/dev/null && requeues=$((requeues + 1)) && done_kills=$((done_kills + 1))
    else
      pid=$(processes_of "${task#*_}" | head -1)
      [ -n "$pid" ] && kill -KILL "$pid" 2>/dev/null && done_kills=$((done_kills + 1))
    fi
  done
  ledger "$whole_url" >"$work/whole.txt"
  ledger "$array_url" >"$work/array.txt"
  if ! cmp -s "$work/whole.txt" "$work/array.txt"; then
    failed=$((failed + 1))
    echo "round $round: the ledgers differ" >&2
    diff "$work/whole.txt" "$work/array.txt" | head -5 >&2
  fi
  dataimport verify --run-dir "$work/runs-$round" --html "$work/report.html" >"$work/report.txt" 2>&1 ||
    { failed=$((failed + 1)); echo "round $round: verify failed" >&2; tail -5 "$work/report.txt" >&2; }
  twice=$(grep -o "\"transaction_id\":\"[^\"]*\"" "$work/array.txt" | sort | uniq -d | wc -l)
  echo "round $round: $done_kills kills so far ($requeues of them requeues by Slurm), $(wc -l <"$work/array.txt") records, $twice twice"
  [ "$twice" = 0 ] || failed=$((failed + 1))
done
echo "$done_kills kills in $round rounds, $failed failures, $(($(date +%s) - began)) s"
[ "$failed" = 0 ]
