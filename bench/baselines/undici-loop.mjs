// node undici-loop.mjs <bodies> <url> <connections>
//
// Sends prepared bodies, one on each line of a file, as fast as undici can. It keeps as many requests in flight as
// there are connections. Answers are read to their end and not parsed, and nothing is written down.

import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const [path, url, connections] = process.argv.slice(2);
const bodies = readFileSync(path, 'latin1').split('\n').slice(0, -1);
const pool = new Pool(url, { connections: Number(connections) });
const headers = { 'content-type': 'application/json' };
const query = 'mutation { obtainPlatformToken(input: {APIKey: "local-key"}) { token } }';
const { data } = await (await post('/v1/graphql/', JSON.stringify({ query }))).json();
headers.authorization = `Token ${data.obtainPlatformToken.token}`;

let next = 0;
async function lane() {
  while (next < bodies.length) {
    // The file is read as latin1, so that each line is its bytes.
    const body = await post('/v1/data-import/transactions/create/', Buffer.from(bodies[next++], 'latin1'));
    await body.dump({ limit: Infinity });
  }
}
await Promise.all(Array.from({ length: Number(connections) }, lane));
console.log(bodies.length);
await pool.close();

async function post(target, content) {
  const { statusCode, body } = await pool.request({ method: 'POST', path: target, headers, body: content });
  if (statusCode > 201) throw new Error(`${statusCode} ${await body.text()}`);
  return body;
}
