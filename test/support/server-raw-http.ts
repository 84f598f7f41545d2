import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** An answer to a request that fetch cannot send, such as one with a foreign Host header. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request with any headers, and waits for the whole answer. */
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

/** Sends bytes and resolves with the first line of the answer. */
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

/** Sends bytes, ends the connection without waiting for an answer, and resolves when it is closed. */
export function abandon(port: number, bytes: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => socket.resetAndDestroy()));
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}

/** Begins a POST and resolves when the server has read its headers. `finish` sends the body. */
export function beginUpload(
  url: string,
  { path, headers }: { path: string; headers: Record<string, string> },
): Promise<{ finish(body: string): Promise<Omit<RawAnswer, 'text'>> }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      path,
      headers: { ...headers, expect: '100-continue' },
      agent: false,
    });
    const answer = new Promise<Omit<RawAnswer, 'text'>>((answered) => {
      sent.on('response', (response) => {
        response.resume();
        answered({ status: response.statusCode!, headers: response.headers });
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
  /** Everything that has arrived so far. */
  received(): string;
  /** Resolves when the connection has ended: closed in order, or reset. */
  readonly ended: Promise<'closed' | 'reset'>;
  /** Sends more bytes. */
  send(bytes: string): void;
}

/** Sends bytes and keeps the bytes that come back. Only the server ends the connection. */
export function rawConnection(port: number, bytes: string): RawConnection {
  const { promise, resolve } = Promise.withResolvers<'closed' | 'reset'>();
  let text = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  socket.setEncoding('latin1');
  socket.on('data', (piece: string) => (text += piece));
  // Writing to a closed connection is an EPIPE. Both codes mean a reset here.
  socket.on('error', () => resolve('reset'));
  socket.on('close', () => resolve('closed'));
  return { received: () => text, ended: promise, send: (more) => void socket.write(more) };
}
