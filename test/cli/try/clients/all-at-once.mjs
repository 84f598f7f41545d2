// Sends all batches at the same time, and each again after a pause when its answer is lost or not final.

import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { post } from './http-post.mjs';

const base = process.env.DATAIMPORT_BASE_URL;
let token;

const sent = (path, document) =>
  post(base + path, { headers: token && { authorization: `Token ${token}` }, document });

async function login() {
  token = undefined;
  const query = `mutation { obtainPlatformToken(input: {APIKey: "${process.env.DATAIMPORT_API_KEY}"}) { token } }`;
  const { text } = await patiently(() => sent('/v1/graphql/', { query }));
  token = JSON.parse(text).data.obtainPlatformToken.token;
}

async function patiently(act) {
  for (let attempt = 1; ; attempt++) {
    const answer = await act().catch(() => undefined);
    if (answer?.status < 300) return answer;
    if (answer?.status === 401) await login();
    else if (attempt === 8 || (answer && answer.status < 500 && answer.status !== 429))
      throw new Error(answer?.text ?? 'no answer');
    await pause((answer?.retryAfter ?? 0) * 1_000 + 150 * attempt);
  }
}

const [, ...rows] = (await readFile(new URL('payments.csv', import.meta.url), 'utf8')).trim().split('\n');
await login();
await Promise.all(
  rows.map((row) => {
    const [external_account_number, transaction_id, transaction_date, amount] = row.split(',');
    return patiently(() =>
      sent('/v1/data-import/transactions/create/', {
        import_supplier: 'SOLAR',
        external_account_number,
        transactions: [
          { transaction_id, transaction_date, amount: +amount, type: 'CREDIT', reason: 'GENERAL_CREDIT' },
        ],
      }),
    );
  }),
);
