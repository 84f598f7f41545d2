import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { likeness } from '../ports/identifier-text.ts';
import type { CountedRecord, RepeatedHashes } from '../ports/staging.ts';

/** Most accounts that are counted in memory. */
const MOST_ACCOUNTS = 2_000_000;

/** Begin the texts of different kinds, so that only texts of one kind are equal. */
const [KEY, ID, PATH] = ['key', 'id', 'path'];

/**
 * Finds out whether identities repeat or identifiers are alike, as the records go by. Only a journal can then find the records that
 * belong together.
 */
export class RepeatedIdentities {
  private readonly resource: Resource;
  private readonly repeated: RepeatedHashes;
  private readonly accounts = new Set<number>();
  private readonly alikeAccounts = new Set<number>();
  private areAccountsAlike = false;

  constructor(resource: Resource, repeated: RepeatedHashes) {
    this.resource = resource;
    this.repeated = repeated;
  }

  /** Adds a record. Returns whether it is the first one of its account. */
  add({ account, identity, id }: CountedRecord, record: object): boolean {
    const { accounts, alikeAccounts, repeated } = this;
    const { import_supplier: supplier, external_account_number: number } = account;
    if (!DESCRIPTORS[this.resource].repetition.isKeyedById)
      repeated.add(hashOf(`${KEY}\n${supplier}\n${number}\n${identity.key}`));
    if (id !== null) repeated.add(hashOf(`${ID}\n${likeness(id)}`));
    const { statement_path: path } = record as { readonly statement_path?: unknown };
    if (typeof path === 'string') repeated.add(hashOf(`${PATH}\n${path}`));
    if (accounts.size > MOST_ACCOUNTS) return false;
    const known = accounts.size;
    if (accounts.add(hashOf(`${supplier}\n${number}`)).size === known) return false;
    const alike = alikeAccounts.size;
    if (alikeAccounts.add(hashOf(`${supplier}\n${likeness(number)}`)).size === alike)
      this.areAccountsAlike = true;
    return true;
  }

  /** Whether accounts are alike, or so many occur that it is not known. Known as the records go by. */
  get hasAlikeAccounts(): boolean {
    return this.areAccountsAlike || this.accounts.size > MOST_ACCOUNTS;
  }

  /** Whether any identities repeat or are alike, or so many accounts occur that it is not known. */
  hasAny(): boolean {
    return this.hasAlikeAccounts || this.repeated.hasRepeated();
  }
}

/** Bits of a hash below the 32 highest ones. Together they are as many as a number keeps exactly. */
const LOW_BITS = 21;

/** A hash of 53 bits, as a whole number. Equal texts have equal hashes. */
function hashOf(text: string): number {
  let a = 0x9e3779b9 ^ text.length;
  let b = 0x85ebca6b;
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
