import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { ChainHead } from '../push/ports/report.ts';

/** How far the chain of a journal has grown, and whether it has accounts of several suppliers. */
type NotedHead = ChainHead & { readonly severalSuppliers?: boolean };

/** What was noted last beside a journal; undefined without a note. */
export function headBeside(path: string): NotedHead | undefined {
  try {
    return JSON.parse(readFileSync(`${path}.head`, 'utf8')) as NotedHead;
  } catch {
    return undefined;
  }
}

/** Notes a head in one step, so that a process that dies leaves the one before. */
export function noteHead(path: string, head: NotedHead): void {
  const file = `${path}.head`;
  writeFileSync(`${file}-new`, JSON.stringify(head), { mode: 0o600 });
  renameSync(`${file}-new`, file);
}
