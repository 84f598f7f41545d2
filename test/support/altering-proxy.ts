import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { parseExactJson } from '../../src/core/values/exact-json.ts';

/** An exchange on its way through a proxy. A body is parsed JSON, or a text that is none. */
export interface PassingExchange {
  readonly method: string;
  path: string;
  sent: unknown;
  readonly sentHeaders: Record<string, string>;
  status: number;
  headers: Record<string, string>;
  body: unknown;
  /** Of all exchanges, from 1. */
  readonly number: number;
}

/** What a proxy changes. `before`: of a request on its way to the platform. True ends it there, with the answer that was set. */
export interface Alteration {
  before?(exchange: PassingExchange): boolean | void;
  after?(exchange: PassingExchange): void;
}

/** A platform that answers in another way than ours, because a proxy before it changes what passes. It ends with the test. */
export async function alteringProxy(upstream: string, { before, after }: Alteration): Promise<string> {
  let number = 0;
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const { host: _, 'content-length': __, ...sentHeaders } = incoming.headers as Record<string, string>;
      const exchange: PassingExchange = {
        method: incoming.method!,
        path: incoming.url!,
        sent: parsed(await bodyOf(incoming)),
        sentHeaders,
        status: 200,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: null,
        number: ++number,
      };
      if (before?.(exchange) !== true) {
        const { connection: ___, ...headers } = exchange.sentHeaders;
        const answer = await request(upstream + exchange.path, {
          method: exchange.method as 'POST',
          headers,
          ...(exchange.method === 'POST' && { body: textOf(exchange.sent) }),
        });
        exchange.status = answer.statusCode;
        exchange.headers = Object.fromEntries(
          Object.entries(answer.headers as Record<string, string>).filter(
            ([name]) => !/^(content-length|connection|keep-alive|date)$/.test(name),
          ),
        );
        exchange.body = parsed(await answer.body.text());
        after?.(exchange);
      }
      outgoing.writeHead(exchange.status, exchange.headers).end(textOf(exchange.body));
      // The platform has lost its answer, and so does the proxy.
    })().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Numbers keep their digits. */
export function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body));
