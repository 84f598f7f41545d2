// One batch at a time. A lost answer and a busy platform mean: wait, and send the same again. A refusal ends the account.

import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { post } from './http-post.mjs';

const { DATAIMPORT_BASE_URL: url, DATAIMPORT_API_KEY: key } = process.env;
const ATTEMPTS = 8;
let authorization;

async function answerOf(path, document) {
  try {
    const headers = authorization && { authorization };
    const { status, text, retryAfter } = await post(url + path, { headers, document });
    return { status, waitMs: retryAfter * 1_000, json: status < 300 ? JSON.parse(text) : undefined };
  } catch {
    return { status: 0, waitMs: 0 };
  }
}

async function send(path, body) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { status, waitMs, json } = await answerOf(path, body);
    if (json) return json;
    if (status === 400 || status === 404) return undefined;
    if (status === 401 && authorization) await login();
    else await pause(waitMs + 100 * 2 ** attempt);
  }
  throw new Error(`no success after ${ATTEMPTS} attempts`);
}

async function login() {
  authorization = undefined;
  const query = `mutation { obtainPlatformToken(input: {APIKey: "${key}"}) { token } }`;
  authorization = `Token ${(await send('/v1/graphql/', { query })).data.obtainPlatformToken.token}`;
}

const [, ...rows] = readFileSync(new URL('payments.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const accounts = Map.groupBy(
  rows.map((row) => row.split(',')),
  ([account]) => account,
);
await login();
for (const [external_account_number, payments] of accounts) {
  for (let first = 0; first < payments.length; first += 2) {
    const transactions = payments.slice(first, first + 2).map(([, id, date, amount]) => ({
      transaction_id: id,
      transaction_date: date,
      amount: Number(amount),
      type: 'CREDIT',
      reason: 'GENERAL_CREDIT',
    }));
    const batch = { import_supplier: 'SOLAR', external_account_number, transactions };
    if (await send('/v1/data-import/transactions/create/', batch)) continue;
    console.error(`account ${external_account_number}: refused, nothing more of it is sent`);
    process.exitCode = 1;
    break;
  }
}
