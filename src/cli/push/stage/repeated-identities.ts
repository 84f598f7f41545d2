import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import { likeness } from '../ports/identifier-text.ts';
import type { CountedRecord, RepeatedHashes } from '../ports/staging.ts';
import { TextHash } from './text-hash.ts';

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
