// node fastify-server.mjs <database>
//
// The same server as http-server.mjs, with Fastify.

import Fastify from 'fastify';
import { storeIn, TOKEN } from './inserts.mjs';

const store = storeIn(process.argv[2]);
const server = Fastify({ bodyLimit: 5 * 1024 * 1024 });
server.post('/v1/graphql/', (_request, reply) => reply.type('application/json').send(TOKEN));
server.post('/v1/data-import/transactions/create/', (request, reply) =>
  reply.code(201).type('application/json').send(store(request.body)),
);
console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
process.once('SIGINT', () => process.exit(0));
