#!/bin/sh
# Records a pilot on a mock server that is not ours (Prism, which npx gets) with each document of fixtures/contracts, and compares it with the
# local platform. Nothing may fail but the comparison: a mock makes its answers up. Needs the registry, so `npm test` does not run it.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
mock=
trap '[ -n "$mock" ] && kill -- -$mock 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
node=${NODE:-node}
dataimport() { "$node" "$root/bin/dataimport.js" "$@"; }
cp "$root"/fixtures/quickstart/* .
port=4920
for document in halmere/openapi.yaml ostrelle/openapi.yaml ostrelle/openapi-3.1.yaml; do
  port=$((port + 1))
  setsid npx --yes @stoplight/prism-cli@5 mock --port $port "$root/fixtures/contracts/$document" > prism.log 2>&1 &
  mock=$!
  until grep -q 'Prism is listening' prism.log; do kill -0 $mock 2>/dev/null || { cat prism.log; exit 1; }; sleep 1; done
  contract=$root/fixtures/contracts/$(dirname $document)/contract.json
  name=$(echo "$document" | tr '/.' '--')
  export DATAIMPORT_BASE_URL=http://127.0.0.1:$port DATAIMPORT_TOKEN=a-token-for-a-mock DATAIMPORT_SUPPLIER=ACME
  for resource in notes transactions statements payment-instructions; do
    dataimport push $resource $resource.csv --record "$name.jsonl" --max-records 20 --contract "$contract" --skip-invalid --on-reject skip --retry-for 1s --run-dir "$name" --no-progress > push.log 2>&1
    echo "$document: push $resource ends with $?"
  done
  dataimport accounts --contract "$contract" --record "$name.jsonl" > /dev/null 2>&1
  dataimport parity "$name.jsonl" --seed seed.yaml --contract "$contract" > parity.txt 2>&1
  echo "$document: parity ends with $?"
  cat parity.txt
  kill -- -$mock; wait $mock 2>/dev/null
done
