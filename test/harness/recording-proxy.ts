import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exactJson, type Exact } from './oracle/exact-json.ts';
import type { OracleRecord } from './oracle/records.ts';
import type { AnswerClass, Moment, SeenRequest } from './request-log.ts';
import { keyOf, LIST_OF, PATHS } from './simulated-answers.ts';

/** The phases of a POST through the proxy, in order. */
export const PHASES = ['arrived', 'forwarded', 'answered', 'relayed'] as const;
export type Phase = (typeof PHASES)[number];

/** A proxy between a real client and a real platform. It forwards everything unchanged and records every POST. */
export interface RecordingProxy {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Keys and tokens that it forwarded. */
  readonly secrets: ReadonlySet<string>;
  /** The port of the platform, which changes when the platform restarts. */
  upstreamPort: number;
  life: number;
  /** Called at each phase of every POST of records, with its number in this life, counted from 1. */
  onPhase: (phase: Phase, number: number) => void;
  close(): Promise<void>;
}

export async function recordingProxy(): Promise<RecordingProxy> {
  const seen: SeenRequest[] = [];
  const secrets = new Set<string>();
  const numbers = new Map<number, number>();
  let orders = 0;
  const moment = (): Moment => ({ atMs: performance.now(), order: ++orders });

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming);
    const token = /^Token (.+)$/.exec(incoming.headers.authorization ?? '')?.[1];
    if (token !== undefined) secrets.add(token);
    const started = startOf(incoming.url!, body, { life: proxy.life, start: moment() });
    if (!started) {
      await forward(incoming, body, { port: proxy.upstreamPort, outgoing });
      return;
    }
    const at = seen.push(started) - 1;
    const number = (numbers.get(started.life) ?? 0) + 1;
    numbers.set(started.life, number);
    const report = (phase: Phase): void => {
      if (proxy.life === started.life) proxy.onPhase(phase, number);
    };
    report('arrived');
    const answer = await forward(incoming, body, { port: proxy.upstreamPort, outgoing, report });
    // An answer counts only when the client that sent the request is still alive to receive it.
    if (proxy.life === started.life) seen[at] = { ...started, end: moment(), answer };
  };
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: RecordingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    secrets,
    upstreamPort: 0,
    life: 0,
    onPhase: () => undefined,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
  return proxy;
}

function startOf(
  url: string,
  body: Buffer,
  when: { readonly life: number; readonly start: Moment },
): SeenRequest | undefined {
  const resource = PATHS.get(url.split('?')[0]!);
  if (!resource) return undefined;
  const text = body.toString('utf8');
  const { external_account_number, ...rest } = exactJson(text) as Record<string, Exact>;
  const list = LIST_OF[resource];
  const records = list === null ? [rest] : (rest[list] as readonly OracleRecord[]);
  const keys = records.map((record) => keyOf(resource, record));
  const account = external_account_number as string;
  return { ...when, resource, account, keys, body: text, end: undefined, answer: undefined, askedMs: 0 };
}

/** Forwards a request. Without an answer of the platform the client gets none either. */
function forward(
  incoming: IncomingMessage,
  body: Buffer,
  route: {
    readonly port: number;
    readonly outgoing: ServerResponse;
    readonly report?: (phase: Phase) => void;
  },
): Promise<AnswerClass> {
  const { port, outgoing, report = () => undefined } = route;
  return new Promise((resolve) => {
    const lost = (): void => {
      outgoing.destroy();
      resolve('ambiguous');
    };
    const { method, url } = incoming;
    const headers = { ...incoming.headers, host: `127.0.0.1:${port}` };
    const forwarded = httpRequest(
      { host: '127.0.0.1', port, method, path: url, headers, agent: false },
      (answer) => {
        bodyOf(answer).then((text) => {
          report('answered');
          const { 'transfer-encoding': _, connection: __, ...kept } = answer.headers;
          outgoing.writeHead(answer.statusCode!, { ...kept, 'content-length': text.length });
          outgoing.end(text, () => report('relayed'));
          resolve(classOf(answer.statusCode!));
        }, lost);
      },
    );
    forwarded.on('error', lost);
    forwarded.end(body, () => report('forwarded'));
  });
}

/** After a 401 the client tries another token. Any other 4xx of a platform without faults settles its records. */
function classOf(status: number): AnswerClass {
  if (status === 401) return 'not_applied';
  if (status >= 400 && status < 500) return 'present';
  return status < 300 ? 'ok' : 'ambiguous';
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
