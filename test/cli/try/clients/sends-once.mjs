// Sends every batch once and stops at the first answer that is not 201.

import { readFileSync } from 'node:fs';
import { post } from './http-post.mjs';

const { DATAIMPORT_BASE_URL: base, DATAIMPORT_API_KEY: key } = process.env;
const [, ...lines] = readFileSync(new URL('payments.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');

const login = await post(`${base}/v1/graphql/`, {
  document: { query: `mutation { obtainPlatformToken(input: {APIKey: "${key}"}) { token } }` },
});
const { token } = JSON.parse(login.text).data.obtainPlatformToken;

for (let first = 0; first < lines.length; first += 2) {
  const batch = lines.slice(first, first + 2).map((line) => line.split(','));
  const { status, text } = await post(`${base}/v1/data-import/transactions/create/`, {
    headers: { authorization: `Token ${token}` },
    timeoutMs: 10_000,
    document: {
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
    },
  });
  if (status !== 201) throw new Error(`${status} ${text}`);
  JSON.parse(text);
}
