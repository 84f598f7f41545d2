#!/usr/bin/env bash
# Sends a batch again after a 500. Any other answer, and no answer at all, is a failure: it is printed, and the next batch follows.

cd "$(dirname "$0")" || exit 2
json='content-type: application/json'
query="mutation { obtainPlatformToken(input: {APIKey: \\\"$DATAIMPORT_API_KEY\\\"}) { token } }"
token=$(curl -s "$DATAIMPORT_BASE_URL/v1/graphql/" -H "$json" -d "{\"query\": \"$query\"}" | sed 's/.*"token": *"\([^"]*\)".*/\1/')

failed=0
while IFS=, read -r account id date amount; do
  [ "$account" = account ] && continue
  payment="{\"transaction_id\": \"$id\", \"transaction_date\": \"$date\", \"amount\": $amount, \"type\": \"CREDIT\", \"reason\": \"GENERAL_CREDIT\"}"
  status=500
  while [ "$status" = 500 ]; do
    status=$(curl -s -m 3 -o /dev/null -w '%{http_code}' "$DATAIMPORT_BASE_URL/v1/data-import/transactions/create/" \
      -H "$json" -H "Authorization: Token $token" \
      -d "{\"import_supplier\": \"SOLAR\", \"external_account_number\": \"$account\", \"transactions\": [$payment]}")
    [ "$status" = 500 ] && sleep 0.3
  done
  [ "$status" = 201 ] || failed=$((failed + 1))
done <payments.csv
echo "$failed failed"
