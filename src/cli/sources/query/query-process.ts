import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '../../../core/app-error.ts';
import type { UnreadValue } from '../../mapping/language/query/query-functions.ts';
import { startModule } from '../../outside/child-process.ts';

/** The database of the tables, and the query. */
export type QueryJob = { readonly path: string; readonly sql: string };

/** A cell of the result as text, the kind of a value that is none, or the value that a function could not read and its number. */
export type ResultCell = string | { readonly kind: string } | (UnreadValue & { readonly number: number });

/** A line of the process: a row, the values that no function could read at its end, or why it has failed. */
export type QueryLine =
  | readonly ResultCell[]
  | { readonly unread: readonly UnreadValue[] }
  | { readonly failed: string };

/** A built package has one file for the process, beside the file of the command. */
const CHILD = import.meta.url.endsWith('.ts')
  ? new URL('./query-child.ts', import.meta.url)
  : new URL('../cli/sources/query/query-child.js', import.meta.url);

/** Time between two looks whether the command is to end, in milliseconds. */
const LOOK_EVERY_MS = 200;

/** Longest time without a row, in milliseconds. A query that takes longer compares every row with every other. */
const QUERY_LIMIT_MS = 10 * 60_000;

/**
 * The rows of a query, in lists; an empty list every moment in which there is none, so that the caller can end the query. It runs in a
 * process of its own, which ends with the generator.
 * @throws AppError `query_invalid`, `query_takes_too_long`
 */
export async function* rowsOfQuery(
  job: QueryJob,
  limitMs = QUERY_LIMIT_MS,
): AsyncGenerator<readonly QueryLine[]> {
  const child = startModule(CHILD);
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? null : `its process ended (${signal ?? code})`),
    );
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(job)}\n`);
  const parts = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  let [rest, silentMs, isWhole] = ['', 0, false];
  try {
    let next = parts.next();
    for (;;) {
      const look = new AbortController();
      const found = await Promise.race([next, wait(LOOK_EVERY_MS, undefined, { signal: look.signal })]);
      look.abort();
      if (found === undefined) {
        silentMs += LOOK_EVERY_MS;
        if (silentMs >= limitMs) throw new AppError('query_takes_too_long', { seconds: limitMs / 1000 });
        yield [];
        continue;
      }
      if (found.done) break;
      next = parts.next();
      silentMs = 0;
      const texts = (rest + found.value).split('\n');
      rest = texts.pop()!;
      const lines = texts.map((text) => JSON.parse(text) as QueryLine);
      for (const line of lines) {
        if ('failed' in line) throw failed(line.failed);
        if ('unread' in line) isWhole = true;
      }
      yield lines;
      // The process waits for the end of its input.
      if (isWhole) return;
    }
    throw failed((await ended) ?? 'its process ended too early');
  } finally {
    child.kill('SIGKILL');
  }
}

const failed = (reason: string): AppError =>
  new AppError('query_invalid', { reason: `it has ended without its result: ${reason}` });
