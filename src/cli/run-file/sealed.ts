import { crc32 } from 'node:zlib';
import type { AccountKey } from '../../core/contract/account.ts';

/** What a run file says cannot be what was written into it. */
export class Damage extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'Damage';
  }
}

/** What of a record decides what is sent, and what is told of it. */
export interface SealedRecord {
  readonly id: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  readonly payload: string;
  /** As JSON text; null when there are none. */
  readonly parts: string | null;
}

/** The checksum that a record is staged with. */
export function checksumOf(
  { import_supplier, external_account_number }: AccountKey,
  { id, type, amount, payload, parts }: SealedRecord,
): number {
  return crc32(
    `${import_supplier}\0${external_account_number}\0${id}\0${type}\0${amount}\0${parts}\0${payload}`,
  );
}

/** @throws Damage when a record is not what was staged */
export function assertUnchanged(
  account: AccountKey,
  record: SealedRecord & { readonly line: number; readonly checksum: number },
): void {
  if (checksumOf(account, record) !== record.checksum)
    throw new Damage(`the record of line ${record.line} is not what was staged`);
}

/** A value as JSON text with its checksum before it. */
export function seal(value: unknown): string {
  const text = JSON.stringify(value);
  return `${crc32(text)} ${text}`;
}

/** The value that was sealed. @throws Damage */
export function unseal<T>(sealed: string): T {
  const end = sealed.indexOf(' ');
  const text = sealed.slice(end + 1);
  if (sealed.slice(0, end) !== String(crc32(text))) throw new Damage('a text in it is not what was written');
  return JSON.parse(text) as T;
}
