import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as the scripted platform received it. */
export interface ReceivedRequest {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An expected request and its answer. */
export interface ScriptedStep {
  /** Method and path, such as `POST /v1/graphql/`. */
  readonly expects: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
}

/** The question that tries a given token before anything is sent. Its answer shows only that the token is taken. */
export const TOKEN_TRIAL: ScriptedStep = {
  expects: 'GET /v1/data-import/imported-account-import-processes/dataimport-auth-check/',
  status: 404,
  body: { detail: 'Not found.' },
};

export interface ScriptedPlatform {
  readonly url: string;
  readonly received: readonly ReceivedRequest[];
}

/**
 * A platform on a free port that answers by a script, in order. An unexpected request gets 599 and fails the test. A step that
 * was never reached fails it as well.
 */
export async function scriptedPlatform(steps: readonly ScriptedStep[]): Promise<ScriptedPlatform> {
  const received: ReceivedRequest[] = [];
  const unexpected: string[] = [];
  const left = [...steps];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const line = `${request.method} ${request.url}`;
      received.push({ line, headers: request.headers, body });
      const step = left[0]?.expects === line ? left.shift() : undefined;
      if (!step) unexpected.push(line);
      answer(response, step ?? { expects: line, status: 599, body: `unexpected ${line}` });
    });
  });
  const url = await listening(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    if (unexpected.length > 0) throw new Error(`the platform did not expect ${unexpected.join(', ')}`);
    if (left.length > 0)
      throw new Error(`the platform never received ${left.map((step) => step.expects).join(', ')}`);
  });
  return { url, received };
}

/** A server on a free port. `answer` gets the raw socket once the head of a request has arrived. */
export async function rawServer(
  answer: (socket: Socket, head: string) => void,
): Promise<{ readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    // The test looks at errors on the side of the client.
    socket.on('error', () => undefined);
    let head = '';
    const listen = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', listen);
      answer(socket, head);
    };
    socket.on('data', listen);
  });
  const url = await listening(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url };
}

/** The answer of the token mutation with this token. */
export function tokenAnswer(token: string): ScriptedStep {
  return { expects: 'POST /v1/graphql/', body: { data: { obtainPlatformToken: { token } } } };
}

/** A JWT with an expiry in seconds since 1970, and nothing else that is valid. */
export function jwtUntil(expSeconds: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp: expSeconds })}.c2ln`;
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function answer(response: ServerResponse, { status = 200, headers = {}, body }: ScriptedStep): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body ?? {}));
}
