// Sends all batches at the same time, and each again after a pause when its answer is lost or not final.

import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const base = process.env.DATAIMPORT_BASE_URL;
let token;

async function post(path, document) {
  const response = await fetch(base + path, {
    method: 'POST',
    signal: AbortSignal.timeout(3_000),
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Token ${token}` }) },
    body: JSON.stringify(document),
  });
  return { response, text: await response.text() };
}

async function login() {
  token = undefined;
  const query = `mutation { obtainPlatformToken(input: {APIKey: "${process.env.DATAIMPORT_API_KEY}"}) { token } }`;
  const { text } = await patiently(() => post('/v1/graphql/', { query }));
  token = JSON.parse(text).data.obtainPlatformToken.token;
}

async function patiently(act) {
  for (let attempt = 1; ; attempt++) {
    const answer = await act().catch(() => undefined);
    if (answer?.response.ok) return answer;
    if (answer?.response.status === 401) await login();
    else if (attempt === 8 || (answer && answer.response.status < 500 && answer.response.status !== 429))
      throw new Error(answer?.text ?? 'no answer');
    await pause(Number(answer?.response.headers.get('retry-after') ?? 0) * 1_000 + 150 * attempt);
  }
}

const [, ...rows] = (await readFile(new URL('payments.csv', import.meta.url), 'utf8')).trim().split('\n');
await login();
await Promise.all(
  rows.map((row) => {
    const [external_account_number, transaction_id, transaction_date, amount] = row.split(',');
    return patiently(() =>
      post('/v1/data-import/transactions/create/', {
        import_supplier: 'SOLAR',
        external_account_number,
        transactions: [
          { transaction_id, transaction_date, amount: +amount, type: 'CREDIT', reason: 'GENERAL_CREDIT' },
        ],
      }),
    );
  }),
);
