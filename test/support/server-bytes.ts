import { connect } from 'node:net';

/** One answer on the wire. */
export interface WireAnswer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answers on one connection. */
export interface Exchange {
  readonly answers: readonly WireAnswer[];
  /** Whether the server has ended the connection. */
  readonly isClosed: boolean;
  /** Everything that arrived, even if it is not an answer. */
  readonly text: string;
}

export interface ExchangeOptions {
  /** Interim answers (1xx) count too. Default: 1. */
  readonly answers?: number;
  /** Half-closes the connection after the last byte. */
  readonly isHalfClosed?: boolean;
  /** Sent one after another, each in its own packet. */
  readonly more?: readonly Uint8Array[];
  /** Half-closes the connection after so many milliseconds without a byte from the server. */
  readonly patienceMs?: number;
  /** Waits for the end of the connection. */
  readonly untilClosed?: boolean;
}

/** Sends bytes on a new connection, and waits for so many answers or the end of the connection. */
export function exchange(
  port: number,
  bytes: string | Uint8Array,
  { answers = 1, isHalfClosed = false, more = [], patienceMs, untilClosed = false }: ExchangeOptions = {},
): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    let received = '';
    const finish = (isClosed: boolean): void => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ answers: answersIn(received), isClosed, text: received });
    };
    let patience: NodeJS.Timeout | undefined;
    const wait = (): void => {
      clearTimeout(patience);
      if (patienceMs !== undefined) patience = setTimeout(() => socket.end(), patienceMs);
    };
    socket.setEncoding('latin1');
    socket.on('connect', () => {
      for (const part of [bytes, ...more]) socket.write(part);
      if (isHalfClosed) socket.end();
      wait();
    });
    socket.on('data', (piece: string) => {
      received += piece;
      wait();
      if (!untilClosed && answersIn(received).length >= answers) finish(false);
    });
    // A reset ends the connection, too.
    socket.on('error', () => undefined);
    socket.on('end', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

/** The complete answers. */
function answersIn(text: string): readonly WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let rest = text; ;) {
    const end = rest.indexOf('\r\n\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(rest) ?? [];
    if (end < 0 || status === undefined) return answers;
    const [, ...lines] = rest.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.slice(line.indexOf(': ') + 2)]),
    );
    const length = end + 4 + Number(headers['content-length'] ?? 0);
    if (rest.length < length) return answers;
    answers.push({ status: Number(status), headers, body: rest.slice(end + 4, length) });
    rest = rest.slice(length);
  }
}
