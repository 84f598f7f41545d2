// Waits and sends again after everything that is no success, five times, also after a refusal.

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const { DATAIMPORT_BASE_URL, DATAIMPORT_API_KEY } = process.env;

const request = async (path, body, headers = {}) => {
  const response = await fetch(new URL(path, DATAIMPORT_BASE_URL), {
    method: 'POST',
    signal: AbortSignal.timeout(3_000),
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (response.ok) return response.json();
  throw Object.assign(new Error(String(response.status)), { wait: response.headers.get('retry-after') });
};
const fiveTimes = async (act) => {
  for (let left = 5; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (left === 1) throw error;
      await pause(300 + 1_000 * (error.wait ?? 0));
    }
  }
};
const tokenHeader = async () => {
  const query = `mutation { obtainPlatformToken(input: {APIKey: "${DATAIMPORT_API_KEY}"}) { token } }`;
  const { data } = await fiveTimes(() => request('/v1/graphql/', { query }));
  return { authorization: `Token ${data.obtainPlatformToken.token}` };
};

for (const line of readFileSync(new URL('payments.csv', import.meta.url), 'utf8')
  .split('\n')
  .slice(1)) {
  const [external_account_number, id, date, amount] = line.split(',');
  if (!id) continue;
  const note = { body: `Payment ${id} of ${amount}`, created_at: `${date}T12:00:00Z` };
  const body = { import_supplier: 'SOLAR', external_account_number, notes: [note] };
  await fiveTimes(async () => request('/v1/data-import/notes/create/', body, await tokenHeader()));
}
