// Waits and sends again after everything that is no success, five times, also after a refusal.

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { post } from './http-post.mjs';

const { DATAIMPORT_BASE_URL, DATAIMPORT_API_KEY } = process.env;

const request = async (path, document, headers = {}) => {
  const answer = await post(new URL(path, DATAIMPORT_BASE_URL), { headers, document });
  if (answer.status < 300) return JSON.parse(answer.text);
  throw Object.assign(new Error(String(answer.status)), { wait: answer.retryAfter });
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
