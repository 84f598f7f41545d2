// node naive.mjs <file> <url>
//
// A careful user's own import script: reads the file, groups the rows by account, sends batches of 100 over a kept connection,
// and sends a batch again after a 5xx.

import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

const [path, url] = process.argv.slice(2);
const LISTS = ['line_items', 'tax_items'];

const accounts = new Map();
for (const row of parse(readFileSync(path), { columns: true })) {
  const { import_supplier, external_account_number, ...cells } = row;
  const record = {};
  for (const [name, text] of Object.entries(cells))
    if (text !== '') record[name] = LISTS.includes(name) ? JSON.parse(text) : text;
  record.amount = Number(record.amount);
  const key = `${import_supplier} ${external_account_number}`;
  const account = accounts.get(key) ?? { import_supplier, external_account_number, transactions: [] };
  accounts.set(key, account);
  account.transactions.push(record);
}

const headers = { 'content-type': 'application/json' };
const query = 'mutation { obtainPlatformToken(input: {APIKey: "local-key"}) { token } }';
const answer = await fetch(`${url}/v1/graphql/`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ query }),
});
headers.authorization = `Token ${(await answer.json()).data.obtainPlatformToken.token}`;

let added = 0;
for (const { transactions, ...account } of accounts.values())
  for (let first = 0; first < transactions.length; first += 100)
    added += await send({ ...account, transactions: transactions.slice(first, first + 100) });
console.log(added);

async function send(batch) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url}/v1/data-import/transactions/create/`, {
      method: 'POST',
      headers,
      body: JSON.stringify(batch),
    });
    const text = await response.text();
    if (response.status === 201) return JSON.parse(text).results.length;
    if (response.status < 500 || attempt === 5) throw new Error(`${response.status} ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * attempt));
  }
}
