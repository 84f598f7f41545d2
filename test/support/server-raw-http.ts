import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** An answer to a request that fetch would not send: a foreign Host header, a method of its own, an unfinished body. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request with any header, and waits for the whole answer. */
export function rawRequest(
  url: string,
  options: { method?: string; path: string; headers?: Record<string, string>; body?: string },
): Promise<RawAnswer> {
  const { method = 'GET', path, headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends bytes and resolves with the first line of the answer, however little of the request has left. */
export function firstLineOf(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('error', reject);
    socket.on('data', (piece: string) => {
      text += piece;
      if (!text.includes('\r\n')) return;
      socket.destroy();
      resolve(text.split('\r\n')[0]!);
    });
  });
}

/** Sends bytes, hangs up without waiting for an answer, and resolves when the connection is gone. */
export function abandon(port: number, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => socket.resetAndDestroy()));
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

/** Begins a POST, resolves when the server has read its headers, and sends the body when it is told to. */
export function beginUpload(
  url: string,
  { path, headers }: { path: string; headers: Record<string, string> },
): Promise<{ finish(body: string): Promise<{ status: number }> }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      path,
      headers: { ...headers, expect: '100-continue' },
      agent: false,
    });
    const answer = new Promise<{ status: number }>((answered) => {
      sent.on('response', (response) => {
        response.resume();
        answered({ status: response.statusCode! });
      });
    });
    sent.on('error', reject);
    sent.on('continue', () => {
      resolve({
        finish: (body) => {
          sent.end(body);
          return answer;
        },
      });
    });
    sent.flushHeaders();
  });
}

/** A connection on which one request was sent. */
export interface RawConnection {
  /** Everything that has come so far. */
  received(): string;
  /** Resolves when the connection is gone: closed in order, or reset. */
  readonly ended: Promise<'closed' | 'reset'>;
  /** Writes more. */
  send(bytes: string): void;
}

/** Sends bytes and keeps what comes back; the connection is ended by the server only. */
export function rawConnection(port: number, bytes: string): RawConnection {
  const { promise, resolve } = Promise.withResolvers<'closed' | 'reset'>();
  let text = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => (text += piece));
  // A write that meets a closed connection is told as EPIPE; both are what a reset looks like from here.
  socket.on('error', () => resolve('reset'));
  socket.on('close', () => resolve('closed'));
  return { received: () => text, ended: promise, send: (more) => void socket.write(more) };
}
