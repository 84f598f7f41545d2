// node stub-server.mjs [--port N] [--delay-ms N] [--record FILE] [--refuse | --hold]
//
// A platform that stores nothing. Prints its address when it is ready, ends with SIGINT.
//   --delay-ms N   answers after N ms
//   --record FILE  appends the body of each request to a file, one on each line
//   --refuse       answers 403 to every batch
//   --hold         prints a line at each batch, and never answers it

import { createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'delay-ms': { type: 'string', default: '0' },
    record: { type: 'string' },
    refuse: { type: 'boolean' },
    hold: { type: 'boolean' },
  },
});
const TOKEN = '{"data":{"obtainPlatformToken":{"token":"bench"}}}';
const REFUSAL = '{"detail":"No.","code":"permission_denied","errors":[]}';
const record = values.record === undefined ? undefined : createWriteStream(values.record);

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url === '/v1/graphql/') return send(response, 200, TOKEN);
    if (values.hold) return console.log('batch');
    if (values.refuse) return send(response, 403, REFUSAL);
    const body = Buffer.concat(chunks);
    record?.write(`${body.toString()}\n`);
    const answer = answerTo(body);
    const delay = Number(values['delay-ms']);
    if (delay === 0) send(response, 201, answer);
    else setTimeout(() => send(response, 201, answer), delay);
  });
});
server.listen(Number(values.port), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}`),
);
process.once('SIGINT', () => (record === undefined ? process.exit(0) : record.end(() => process.exit(0))));

function send(response, status, text) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function answerTo(body) {
  const results = JSON.parse(body.toString()).transactions.map((record) => ({
    status: 'TRANSACTION_ADDED_TO_ACCOUNT',
    transaction_data: { ...record, amount: record.amount.toFixed(2) },
  }));
  return JSON.stringify({ results });
}
