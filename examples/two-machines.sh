#!/bin/bash
# Sends transactions.csv in four shards from two machines, with GNU parallel and ssh. Both have dataimport, the same
# transactions.csv, and the key in their own dataimport.config.yaml (apiKeyFile).

set -u

# Sends one shard until starting again does not help. The shard stays on its machine, because its journal is there.
send() {
  local host=$1 shard=$2 code
  while :; do
    ssh "$host" "cd migration && dataimport push transactions transactions.csv --shard $shard/4 \
      --run-dir /var/lib/dataimport/transactions --rate-limit 40/s"
    code=$?
    case $code in
      # Unfinished, busy, or ended: the same command goes on (docs/exit-codes.md). 255 is ssh, whose connection was lost.
      5 | 10 | 130 | 137 | 143 | 255) sleep 30 ;;
      *) return "$code" ;;
    esac
  done
}
export -f send

parallel --jobs 4 --colsep ' ' --joblog dataimport.joblog send {1} {2} <<'END'
alpha 1
alpha 2
beta 3
beta 4
END
