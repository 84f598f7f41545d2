import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { likeness } from '../ports/identifier-text.ts';
import type { CountedRecord, RepeatedHashes } from '../ports/staging.ts';

/** Most accounts that are counted in memory. */
const MOST_ACCOUNTS = 2_000_000;

/** Begin the hashes of different kinds of texts, so that only texts of one kind are equal. */
const [KEY, ID, PATH] = [1, 2, 3];

/**
 * Finds out whether identities repeat or identifiers are alike, as the records go by. Only a journal can then find the records that
 * belong together.
 */
export class RepeatedIdentities {
  private readonly resource: Resource;
  private readonly repeated: RepeatedHashes;
  private readonly hash = new TextHash();
  private readonly accounts = new Set<number>();
  private readonly alikeAccounts = new Set<number>();
  private areAccountsAlike = false;

  constructor(resource: Resource, repeated: RepeatedHashes) {
    this.resource = resource;
    this.repeated = repeated;
  }

  /** Adds a record. Returns whether it is the first one of its account. */
  add({ account, identity, id }: CountedRecord, record: object): boolean {
    const { repetition } = DESCRIPTORS[this.resource];
    const { import_supplier, external_account_number } = account;
    if (!repetition.isKeyedById) {
      const hash = this.hash.of(import_supplier, KEY).and(external_account_number).and(identity.key);
      this.repeated.add(hash.value);
    }
    if (id !== null) this.repeated.add(this.hash.of(likeness(id), ID).value);
    const { statement_path: path } = record as { readonly statement_path?: unknown };
    if (typeof path === 'string') this.repeated.add(this.hash.of(path, PATH).value);
    return this.addAccount(account);
  }

  private addAccount({ import_supplier, external_account_number }: CountedRecord['account']): boolean {
    const { accounts, alikeAccounts } = this;
    if (accounts.size > MOST_ACCOUNTS) return false;
    const known = accounts.size;
    if (accounts.add(this.hash.of(import_supplier).and(external_account_number).value).size === known)
      return false;
    const alike = alikeAccounts.size;
    alikeAccounts.add(this.hash.of(import_supplier).and(likeness(external_account_number)).value);
    if (alikeAccounts.size === alike) this.areAccountsAlike = true;
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

/**
 * A hash of one or more texts, as a whole number of 53 bits. Equal texts have equal hashes. The next hash takes the place of the
 * last one, so that no object is made for each of many million texts.
 */
class TextHash {
  private low = 0;
  private high = 0;

  get value(): number {
    return this.high * 2 ** LOW_BITS + (this.low >>> (32 - LOW_BITS));
  }

  /** Begins a hash. `kind`: a small number that keeps texts of different kinds apart. */
  of(text: string, kind = 0): this {
    this.low = 0x9e3779b9 ^ kind;
    this.high = 0x85ebca6b;
    return this.and(text);
  }

  /** Goes on with another text. */
  and(text: string): this {
    let a = this.low ^ text.length;
    let b = this.high;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 0x9e3779b1);
      b = Math.imul(b ^ code, 0x5f356495);
      b ^= b >>> 15;
    }
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
    b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
    this.low = a >>> 0;
    this.high = b >>> 0;
    return this;
  }
}
