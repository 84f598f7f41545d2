#!/usr/bin/env bash
# scripts/play-interface.sh [URL [API_KEY [KEY_FOR_ACME_ONLY]]]
#
# Sends the requests of the interface document with curl to `dataimport serve`, section by section, and prints each
# request with its answer, so that you can read the document beside them. Without a URL it starts a server of its own.
# A server that you started yourself must be fresh and must have the seed scripts/play-interface/seed.yaml.
# Exit code 0: every answer has the expected status. 1: one has not. 2: no server answers.

set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
server=
trap '[ -n "$server" ] && kill "$server"; rm -rf "$work"' EXIT

# Prefer the Node that this project pins, if it is installed.
PATH=$here/../node_modules/.bin:$PATH
if [ $# -eq 0 ]; then
  node "$here/../bin/dataimport.js" serve --port 0 --db :memory: --seed "$here/play-interface/seed.yaml" --json > "$work/ready" &
  server=$!
  until [ -s "$work/ready" ]; do kill -0 "$server" || exit 1; sleep 0.05; done
fi
url=${1:-$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$work/ready")}
key=${2:-play-key}
acme_key=${3:-acme-only-key}
api=/v1/data-import
failed=0

if ! curl -sS -f --max-time 10 -o "$work/health" "$url/_local/health"; then
  printf 'No `dataimport serve` answers at %s. Start one with --seed %s and give its URL, or give no URL.\n' \
    "$url" "$here/play-interface/seed.yaml" >&2
  exit 2
fi

section() { printf '\n\n######## %s\n' "$*"; }
say() { printf '\n# %s\n' "$*"; }

# ask STATUS METHOD PATH [BODY [curl option...]]: prints the request and its answer, and counts unexpected statuses.
ask() {
  local expected=$1 method=$2 path=$3 body=${4-}
  local options=(-sS -X "$method" -H "content-type: $content_type" -H "authorization: $authorization" "${@:5}")
  [ -n "$body" ] && options+=(--data-binary "$body")
  printf '\n%s %s\n' "$method" "$path"
  [ -n "$body" ] && printf '%.2000s\n' "$body"
  local status
  status=$(curl "${options[@]}" -D "$work/headers" -o "$work/answer" -w '%{http_code}' "$url$path")
  printf -- '-> %s\n' "$status"
  grep -i -E '^(www-authenticate|allow|retry-after):' "$work/headers" | tr -d '\r'
  cat "$work/answer" && echo
  if [ "$status" != "$expected" ]; then
    failed=$((failed + 1))
    printf '!! expected %s\n' "$expected"
  fi
}

# on ACCOUNT FIELDS: the payload of a POST for an account of ACME.
on() { printf '{"import_supplier": "ACME", "external_account_number": "%s", %s}' "$1" "$2"; }

token_for() {
  curl -sS -H 'content-type: application/json' "$url/v1/graphql/" \
    -d "{\"query\": \"mutation { obtainPlatformToken(input: {APIKey: \\\"$1\\\"}) { token } }\"}" |
    sed 's/.*"token":"\([^"]*\)".*/\1/'
}

authorization="Token $(token_for "$key")"
content_type=application/json

section '2.1 Common conventions'
say 'An unlisted field is rejected.'
ask 400 POST $api/notes/create/ "$(on 1001 '"notes": [{"body": "x", "author": "me"}]')"
say 'An optional field that is sent must satisfy its rules, and so must the fields inside it.'
ask 400 POST $api/notes/create/ "$(on 1001 '"notes": [{"document_paths": [{}], "created_at": "2026-02-30T00:00:00Z"}]')"
say 'Every POST names its account.'
ask 400 POST $api/notes/create/ '{"notes": [{"body": "x"}]}'

section '2.2 Document path, 2.3 Note'
say 'Played in 4.2.'
section '2.4 Transaction'
say 'Played in 4.3, one of each type.'
section '2.5 Historical statement'
say 'Played in 4.4.'
section '2.6 Payment instruction'
say 'Played in 4.5.'
section '2.7 Account import process'
say 'Played in 4.6 to 4.9.'

section '3.1 Account import status'
for account in 1001:COMPLETED 1002:UNKNOWN 1003:IN_PROGRESS 1004:UNKNOWN; do
  say "An account that is ${account#*:}."
  ask 200 GET "$api/account-transfer-status/ACME/${account%:*}/"
done

section '3.2 Import supplier status'
say 'Paused and Complete: a POST is rejected, a GET still works.'
ask 400 POST $api/notes/create/ '{"import_supplier": "PAUSED", "external_account_number": "3001", "notes": [{"body": "x"}]}'
ask 400 POST $api/notes/create/ '{"import_supplier": "DONE", "external_account_number": "4001", "notes": [{"body": "x"}]}'
ask 200 GET $api/account-transfer-status/PAUSED/3001/

section '3.3 Result statuses'
say 'Played in 4.2 and 4.3.'

section '4.2 POST notes/create'
notes=$(on 1001 '"notes": [{"body": "Moved in.", "created_at": "2026-01-05T09:30:00Z"}, {"document_paths": [{"document_path": "letters/1001.pdf"}]}, {"body": "Vulnerable customer.", "is_pinned": true, "created_at": "2026-01-05T09:30:00Z", "unpin_at": "2027-01-05T00:00:00Z"}]')
say 'NOTE_CREATION_SUCCESS. The same notes again: NOTE_ALREADY_EXISTS.'
ask 201 POST $api/notes/create/ "$notes"
ask 201 POST $api/notes/create/ "$notes"
say 'A note without body and document_paths.'
ask 400 POST $api/notes/create/ "$(on 1001 '"notes": [{"is_pinned": false}]')"
say 'A note that is unpinned before it was created.'
ask 400 POST $api/notes/create/ "$(on 1001 '"notes": [{"body": "x", "created_at": "2026-01-05T09:30:00Z", "unpin_at": "2026-01-04T00:00:00Z"}]')"
say 'An account that is only staged, an account that does not exist, and a supplier that does not exist.'
ask 404 POST $api/notes/create/ "$(on 1002 '"notes": [{"body": "x"}]')"
ask 404 POST $api/notes/create/ "$(on 9999 '"notes": [{"body": "x"}]')"
ask 404 POST $api/notes/create/ '{"import_supplier": "NOBODY", "external_account_number": "1001", "notes": [{"body": "x"}]}'

section '4.3 POST transactions/create'
transactions=$(on 1001 '"transactions": [
  {"transaction_id": "c-1", "transaction_date": "2026-02-01", "amount": 12.5, "type": "CHARGE", "reason": "IMPORTED_CHARGE", "display_note": "Late fee", "note": "from the old system"},
  {"transaction_id": "k-1", "transaction_date": "2026-02-02", "amount": 3, "type": "CREDIT", "reason": "IMPORTED_CREDIT"},
  {"transaction_id": "p-1", "transaction_date": "2026-02-03", "amount": 40, "type": "PAYMENT", "reason": "ACCOUNT_CHARGE_PAYMENT", "reference": "DD-1", "payment_type": "DD_REGULAR_COLLECTION"},
  {"transaction_id": "r-1", "transaction_date": "2026-02-04", "amount": 5, "type": "REPAYMENT", "reason": "FULL_CREDIT_REFUND", "payment_type": "DIRECT_CREDIT"},
  {"transaction_id": "s-1", "transaction_date": "2026-02-05", "amount": 53.24, "type": "SUPPLY_CHARGE", "product_code": "FLEX-12", "display_note": "January",
   "line_items": [{"rate_band": "CONSUMPTION_STANDARD", "start_date": "2026-01-01", "end_date": "2026-01-31", "number_of_units": 4, "net_amount": 44, "price_per_unit": 11, "units": [1000, 1004]}],
   "tax_items": [{"amount": 9.24, "tax_type": "VAT", "value_taxed": 44, "rate": 0.21, "unit_type": "PROPORTION"}]}]')
say 'One of each type: TRANSACTION_ADDED_TO_ACCOUNT. The same again: TRANSACTION_ALREADY_EXISTS.'
ask 201 POST $api/transactions/create/ "$transactions"
ask 201 POST $api/transactions/create/ "$transactions"
say 'check_previously_added=false adds the transaction a second time.'
ask 201 POST "$api/transactions/create/?check_previously_added=false" "$(on 1001 '"transactions": [{"transaction_id": "c-1", "transaction_date": "2026-02-01", "amount": 12.5, "type": "CHARGE"}]')"
say 'A date outside the open statement: moved into it, with a pinned note. With force_add_to_current_statement=false: rejected.'
ask 201 POST $api/transactions/create/ "$(on 1001 '"transactions": [{"transaction_id": "c-2", "transaction_date": "2025-12-24", "amount": 1, "type": "CHARGE"}]')"
ask 400 POST "$api/transactions/create/?force_add_to_current_statement=false" "$(on 1001 '"transactions": [{"transaction_id": "c-3", "transaction_date": "2025-12-24", "amount": 1, "type": "CHARGE"}]')"
say 'The second transaction fails: TRANSACTION_IMPORT_ERROR. The first is not stored either.'
ask 400 POST $api/transactions/create/ "$(on 1001 '"transactions": [{"transaction_id": "c-4", "transaction_date": "2026-02-01", "amount": 1, "type": "CHARGE"}, {"transaction_id": "c-5", "transaction_date": "2026-02-01", "amount": 1.005, "type": "CHARGE"}]')"
say 'An account that does not exist.'
ask 404 POST $api/transactions/create/ "$(on 9999 '"transactions": [{"transaction_id": "c-6", "transaction_date": "2026-02-01", "amount": 1, "type": "CHARGE"}]')"

section '4.4 POST historical-statements/create'
statements=$(on 1001 '"statements": [{"bill_period_from_date": "2025-11-01", "bill_period_to_date": "2025-11-30", "statement_id": "st-1", "issued_date": "2025-12-01", "number": "2025-11", "gross_amount": 5324, "statement_path": "statements/2025-11.pdf"}]')
say 'The answer is the validated data. The same again is rejected, because the id exists.'
ask 201 POST $api/historical-statements/create/ "$statements"
ask 400 POST $api/historical-statements/create/ "$statements"
say 'An account that does not exist.'
ask 404 POST $api/historical-statements/create/ "$(on 9999 '"statements": [{"bill_period_from_date": "2025-11-01", "bill_period_to_date": "2025-11-30", "statement_id": "st-1"}]')"

section '4.5 POST payment-instruction/create'
say 'The vendor has the instruction. A second instruction for the same account is rejected.'
ask 201 POST $api/payment-instruction/create/ "$(on 1001 '"vendor": "STRIPE", "reference": "pi_1", "type": "CARD"')"
ask 400 POST $api/payment-instruction/create/ "$(on 1001 '"vendor": "STRIPE", "reference": "pi_1", "type": "CARD"')"
say 'The vendor fails for a while: 500. Send the same request again.'
ask 500 POST $api/payment-instruction/create/ "$(on 1005 '"vendor": "STRIPE", "reference": "pi_2", "type": "CARD"')"
ask 201 POST $api/payment-instruction/create/ "$(on 1005 '"vendor": "STRIPE", "reference": "pi_2", "type": "CARD"')"
say 'The vendor fails permanently, and the payload is wrong: 400. Correct it before you send it again.'
ask 400 POST $api/payment-instruction/create/ "$(on 1006 '"vendor": "STRIPE", "reference": "pi_3", "type": "CARD"')"
ask 400 POST $api/payment-instruction/create/ "$(on 1006 '"vendor": "NOBODY", "reference": "pi_3", "type": "CARD"')"

section '4.6 GET account-transfer-status'
ask 200 GET $api/account-transfer-status/ACME/1001/
ask 200 GET $api/account-transfer-status/ACME/1002/
ask 404 GET $api/account-transfer-status/ACME/9999/

for list in 7:all 8:pending 9:imported; do
  section "4.${list%:*} GET ${list#*:}-account-import-processes"
  ask 200 GET "$api/${list#*:}-account-import-processes/ACME/"
  say 'A supplier without accounts, and an unknown supplier.'
  ask 200 GET "$api/${list#*:}-account-import-processes/BETA/"
  ask 404 GET "$api/${list#*:}-account-import-processes/NOBODY/"
done

section '5 Authentication'
say 'The mutation answers an API key with a token. A wrong key gets an error in a 200.'
ask 200 POST /v1/graphql/ "{\"query\": \"mutation { obtainPlatformToken(input: {APIKey: \\\"$key\\\"}) { token refreshToken refreshExpiresIn payload } }\"}"
ask 200 POST /v1/graphql/ '{"query": "mutation { obtainPlatformToken(input: {APIKey: \"wrong\"}) { token } }"}'
say 'Without the word Token, with an unknown token, and with a key that has no access to the supplier.'
authorization=wrong ask 401 GET $api/all-account-import-processes/ACME/
authorization='Token wrong' ask 401 GET $api/all-account-import-processes/ACME/
authorization="Token $(token_for "$acme_key")" ask 403 GET $api/all-account-import-processes/BETA/

section '6 Events'
say 'The interface has none.'

section '7.1 Validation error format'
say 'One object for each problem, with the path to its input.'
ask 400 POST $api/historical-statements/create/ "$(on 1001 '"statements": [{"statement_id": "", "bill_period_from_date": "1/1/2026", "gross_amount": 53.24}]')"
say 'A body that is not JSON.'
ask 400 POST $api/notes/create/ '{"import_supplier": '

section '7.2 Status codes, and what the document does not show'
say 'A wrong method, a wrong type of body, a path without its last slash, and a wrong Host.'
ask 405 GET $api/notes/create/
content_type=application/x-www-form-urlencoded ask 415 POST $api/notes/create/ 'a=b'
ask 404 GET $api/all-account-import-processes/ACME
ask 421 GET $api/all-account-import-processes/ACME/ '' -H 'host: elsewhere.example'

section '8 Limits'
say 'A body of more than 5 MiB.'
head -c 5242881 /dev/zero | tr '\0' ' ' > "$work/large"
ask 413 POST $api/notes/create/ "@$work/large"

section '9 Versioning'
ask 404 GET /v2/data-import/all-account-import-processes/ACME/

printf '\n\n%s answers had an unexpected status.\n' "$failed"
[ "$failed" -eq 0 ]
