import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { likeness } from '../ports/identifier-text.ts';
import type { CountedRecord, RepeatedHashes } from '../ports/staging.ts';

/** Most accounts that are counted in memory. */
const MOST_ACCOUNTS = 2_000_000;

/** Tell texts of different kinds apart, so that only texts of one kind are equal. */
const [KEY, ID, PATH] = [1, 2, 3];

/**
 * Finds out whether identities repeat or identifiers are alike, as the records go by. Only a journal can then find the records that
 * belong together.
 */
export class RepeatedIdentities {
  private readonly resource: Resource;
  private readonly repeated: RepeatedHashes;
  private readonly accounts = new Set<number>();
  private readonly alikeAccounts = new Set<number>();

  constructor(resource: Resource, repeated: RepeatedHashes) {
    this.resource = resource;
    this.repeated = repeated;
  }

  /** Adds a record. Returns whether it is the first one of its account. */
  add({ account, identity, id }: CountedRecord, record: object): boolean {
    const { accounts, alikeAccounts, repeated } = this;
    const { import_supplier: supplier, external_account_number: number } = account;
    const ofSupplier = hashOf(supplier, KEY);
    const ofAccount = hashOf(number, ofSupplier);
    if (!DESCRIPTORS[this.resource].repetition.isKeyedById) repeated.add(hashOf(identity.key, ofAccount));
    if (id !== null) repeated.add(hashOf(likeness(id), ID));
    const { statement_path: path } = record as { readonly statement_path?: unknown };
    if (typeof path === 'string') repeated.add(hashOf(path, PATH));
    if (accounts.size > MOST_ACCOUNTS || accounts.has(ofAccount)) return false;
    accounts.add(ofAccount);
    alikeAccounts.add(hashOf(likeness(number), ofSupplier));
    return true;
  }

  /** Whether accounts are alike, or so many occur that it is not known. Known as the records go by. */
  get hasAlikeAccounts(): boolean {
    return this.alikeAccounts.size < this.accounts.size || this.accounts.size > MOST_ACCOUNTS;
  }

  /** Whether any identities repeat or are alike, or so many accounts occur that it is not known. */
  hasAny(): boolean {
    return this.hasAlikeAccounts || this.repeated.hasRepeated();
  }
}

/** Bits of a hash below the 32 highest ones. Together they are as many as a number keeps exactly. */
const LOW_BITS = 21;

/** A hash of 53 bits, as a whole number. Equal texts behind equal ones, whose hash is `before`, have equal hashes. */
function hashOf(text: string, before: number): number {
  let a = 0x9e3779b9 ^ text.length ^ before;
  let b = 0x85ebca6b ^ (before / 2 ** LOW_BITS);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x9e3779b1);
    b = Math.imul(b ^ code, 0x5f356495);
    b ^= b >>> 15;
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b >>> 0) * 2 ** LOW_BITS + (a >>> (32 - LOW_BITS));
}
