import { readSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import {
  queryFunctions,
  unreadIn,
  type QueryFunctions,
} from '../../mapping/language/query/query-functions.ts';
import { queryRows } from '../../scratch/query-rows.ts';
import type { QueryJob, QueryLine, ResultCell } from './query-process.ts';

// The process of `rowsOfQuery`. SQLite cannot be interrupted, so the process is killed. Its standard input begins with the job and
// ends with the command, and then the process kills itself.

const [INPUT, OUTPUT] = [0, 1];

/** Rows are written when they have so many characters. */
const PART = 65_536;

/** Wait before the next try to write into a full pipe, in milliseconds. */
const WAIT_MS = 2;

const END_WITH_PARENT = `
  require('node:fs').readSync(0, Buffer.alloc(1));
  process.kill(process.pid, 'SIGKILL');`;

run(jobIn());

function jobIn(): QueryJob {
  const byte = Buffer.alloc(1);
  const bytes: number[] = [];
  while (readSync(INPUT, byte) === 1 && byte[0] !== 0x0a) bytes.push(byte[0]!);
  return JSON.parse(Buffer.from(bytes).toString()) as QueryJob;
}

function run({ path, sql }: QueryJob): void {
  const watcher = new Worker(END_WITH_PARENT, { eval: true });
  const functions = queryFunctions();
  let part = '';
  const write = (line: QueryLine): void => {
    part += `${JSON.stringify(line)}\n`;
    if (part.length >= PART) flush();
  };
  const flush = (): void => {
    const bytes = Buffer.from(part);
    for (let at = 0; at < bytes.length;) at += written(bytes, at);
    part = '';
  };
  try {
    for (const row of queryRows(path, sql, functions)) write(row.map((value) => cellOf(value, functions)));
    write({ unread: functions.unread });
  } catch (error) {
    write({ failed: (error as Error).message });
  }
  flush();
  watcher.unref();
}

/** Writes a part. The pipe does not block, so the process waits until the command has read what is there. */
function written(bytes: Buffer, at: number): number {
  try {
    return writeSync(OUTPUT, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    return 0;
  }
}

/** A value as text. A float, bytes and a value that was not read are named, because no cell is made of them. */
function cellOf(value: unknown, { unread }: QueryFunctions): ResultCell {
  if (value === null) return '';
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'string') return { kind: typeof value === 'number' ? 'a float' : 'bytes' };
  const number = unreadIn(value);
  return number === undefined ? value : { ...unread[number]!, number };
}
