import { statSync, type BigIntStats } from 'node:fs';

/** The state of a journal with its WAL, as a text that differs after every change. */
export function stateOf(file: string): string {
  return ['', '-wal']
    .map((end) => stateText(statSync(file + end, { bigint: true, throwIfNoEntry: false })))
    .join(' ');
}

/** SQLite makes an empty journal to read, and removes it afterwards. */
function stateText(found: BigIntStats | undefined): string {
  return !found?.size ? '-' : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
}
