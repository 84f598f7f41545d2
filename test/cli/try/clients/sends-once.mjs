// Sends every batch once and stops at the first answer that is not 201.

import { readFileSync } from 'node:fs';

const { DATAIMPORT_BASE_URL: base, DATAIMPORT_API_KEY: key } = process.env;
const [, ...lines] = readFileSync(new URL('payments.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');

const login = await fetch(`${base}/v1/graphql/`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query: `mutation { obtainPlatformToken(input: {APIKey: "${key}"}) { token } }` }),
});
const { token } = (await login.json()).data.obtainPlatformToken;

for (let first = 0; first < lines.length; first += 2) {
  const batch = lines.slice(first, first + 2).map((line) => line.split(','));
  const response = await fetch(`${base}/v1/data-import/transactions/create/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Token ${token}` },
    body: JSON.stringify({
      import_supplier: 'SOLAR',
      external_account_number: batch[0][0],
      transactions: batch.map(([, transaction_id, transaction_date, amount]) => ({
        transaction_id,
        transaction_date,
        amount: Number(amount),
        type: 'PAYMENT',
        reason: 'ACCOUNT_CHARGE_PAYMENT',
        payment_type: 'DIRECT_CREDIT',
      })),
    }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  await response.json();
}
