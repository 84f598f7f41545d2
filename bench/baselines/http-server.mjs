// node http-server.mjs <database>
//
// A bare server of node:http that stores transactions. Prints its address when it is ready, ends with SIGINT.

import { createServer } from 'node:http';
import { storeIn, TOKEN } from './inserts.mjs';

const store = storeIn(process.argv[2]);
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const document = JSON.parse(Buffer.concat(chunks).toString());
    const isToken = request.url === '/v1/graphql/';
    const answer = isToken ? TOKEN : store(document);
    response.writeHead(isToken ? 200 : 201, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.once('SIGINT', () => process.exit(0));
