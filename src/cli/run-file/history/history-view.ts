import type { AccountKey } from '../../../core/contract/account.ts';
import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';
import type { KnownRecord, ScopedRecords, StoredIdentity } from './history-index.ts';
import { BLOCK, CONTENT_BYTES, hasIdsBesideKeys, keyById } from './history-learning.ts';

/** What is read of another run file. */
export interface OtherRecords {
  readonly id: string;
  accountOf(number: number): AccountKey;
  /** `wasCompared`: whether an answer has proven that the platform has the content of the record. */
  placeOf(seq: number): Readonly<{ file: string; line: number; wasCompared: boolean }>;
  contentOf(seq: number): Buffer;
  factsOf(seq: number): Readonly<{ type: string | null; amount: string | null }>;
}

export interface JudgedRecord {
  readonly account: AccountKey;
  readonly identity: StoredIdentity;
  readonly id: string | null;
  /** SHA-256 of the record with equal values written alike, as a text of Latin-1. */
  readonly content: string;
}

/**
 * What the history says of a record. `moved`: it may have moved, unless the other record is in this version, too. `refused`: it was
 * refused in this very form, and must not be sent again like that (interface.md 4.5).
 */
export type Judgement =
  | { readonly kind: 'new' }
  | Readonly<{ kind: 'sent_before' | 'changed' | 'moved' | 'verify' | 'refused'; there: RecordThere }>;

/** A record of another run. */
export interface RecordThere {
  /** Number of the run in the index, and of the record in the run. */
  readonly run: number;
  readonly seq: number;
}

/**
 * The history beside one version of files. A record is looked for behind the last one that was found, because most rows of a version
 * follow each other as in the one before, and then by its identity.
 */
export class HistoryView {
  private readonly cursors = new Map<number, Cursor | undefined>();
  private readonly seen = new Map<number, Uint8Array>();
  private current: Cursor | undefined;
  /** The last record that was found by its identity. */
  private last: RecordThere | undefined;
  readonly records: ScopedRecords;
  private readonly resource: Resource;
  private readonly resendsRefused: boolean;
  /** The records of a run by its number in the index; undefined when the run file cannot be read now. */
  private readonly others: (run: number) => OtherRecords | undefined;

  constructor(
    records: ScopedRecords,
    others: (run: number) => OtherRecords | undefined,
    { resource, resendsRefused }: { resource: Resource; resendsRefused: boolean },
  ) {
    this.records = records;
    this.others = others;
    this.resource = resource;
    this.resendsRefused = resendsRefused;
  }

  /** Ends the reading of other runs, so that they can be closed. */
  close(): void {
    this.cursors.clear();
    this.current = undefined;
    this.last = undefined;
  }

  /** `identityOf`: the hashes of a note take long, and few rows need them. */
  judge(record: Omit<JudgedRecord, 'identity'>, identityOf: () => StoredIdentity): Judgement {
    const next = this.current?.take(record);
    if (next !== undefined) return this.found('sent_before', { run: this.current!.run, seq: next });
    const identity = identityOf();
    const known = this.records.find(record.account, identity);
    if (!known) return this.judgeElsewhere({ ...record, identity });
    const isEqual = record.content.startsWith(known.content);
    if (known.known === 'arrived' || known.known === 'confirmed') {
      if (!isEqual) return this.found('changed', known);
      this.follow(known);
      return this.found('sent_before', known);
    }
    if (known.known === 'verify') return this.found('verify', known);
    const isRefused =
      known.known === 'final' &&
      DESCRIPTORS[this.resource].refusal.final !== null &&
      !this.resendsRefused &&
      isEqual;
    if (isRefused) return this.found('refused', known);
    this.see(known);
    return this.judgeElsewhere({ ...record, identity });
  }

  /** Whether a row of this version is the record. */
  hasSeen({ run, seq }: RecordThere): boolean {
    return ((this.seen.get(run)?.[seq >> 3] ?? 0) & (1 << (seq & 7))) !== 0;
  }

  /** The record that the history has in place of one of a run, which no row of this version is. */
  lookUp(record: Pick<JudgedRecord, 'account' | 'identity'>): KnownRecord | undefined {
    return this.records.find(record.account, record.identity);
  }

  /** Whether a person has confirmed the record on another account since, so that `there` is not where it is. */
  hasMoved(
    { account, identity, id }: Pick<JudgedRecord, 'account' | 'identity' | 'id'>,
    there: KnownRecord,
  ): boolean {
    if (id === null) return false;
    return this.records
      .allOf(account, this.keyOf({ identity, id }))
      .some(
        ({ known, run, content }) => known === 'confirmed' && run > there.run && content === there.content,
      );
  }

  private keyOf({ identity, id }: Pick<JudgedRecord, 'identity'> & { id: string }): string {
    return hasIdsBesideKeys(this.resource) ? keyById(id) : identity.key;
  }

  /** The run and line of a record; undefined when its run file cannot be read now. */
  placeOf({ run, seq }: RecordThere): (ReturnType<OtherRecords['placeOf']> & { run: string }) | undefined {
    const other = this.others(run);
    return other && { ...other.placeOf(seq), run: other.id };
  }

  /** Type and amount of a record, which outlive its text; undefined when its run file cannot be read now. */
  factsOf({ run, seq }: RecordThere): ReturnType<OtherRecords['factsOf']> | undefined {
    return this.others(run)?.factsOf(seq);
  }

  /** A record that is new to its account, or was only refused there, may have moved from another account. */
  private judgeElsewhere({ account, id, identity, content }: JudgedRecord): Judgement {
    if (id === null) return NEW;
    // An account where the id was only refused does not have it.
    const having = this.records
      .allOf(account, this.keyOf({ identity, id }))
      .filter(({ known }) => known === 'arrived' || known === 'confirmed' || known === 'verify');
    // A record that a person has confirmed may have moved before.
    const confirmed = having.filter(({ known }) => known === 'confirmed');
    const [only, second] = confirmed.length > 0 ? confirmed : having;
    // An id that several accounts have is no sign of a move.
    if (only === undefined || second !== undefined) return NEW;
    const there = this.others(only.run)?.contentOf(only.seq);
    return there?.toString('latin1') === content ? { kind: 'moved', there: only } : NEW;
  }

  private found(kind: Exclude<Judgement['kind'], 'new' | 'moved'>, { run, seq }: RecordThere): Judgement {
    this.see({ run, seq });
    return { kind, there: { run, seq } };
  }

  /** Notes that a row of this version is the record. */
  see({ run, seq }: RecordThere): void {
    let bits = this.seen.get(run);
    if (bits === undefined || bits.length <= seq >> 3) {
      const larger = new Uint8Array(Math.max(1_024, 2 * (seq >> 3)));
      if (bits) larger.set(bits);
      bits = larger;
      this.seen.set(run, bits);
    }
    bits[seq >> 3]! |= 1 << (seq & 7);
  }

  /** Goes on behind a record that was found by its identity, once two were found that follow each other. */
  private follow({ run, seq }: RecordThere): void {
    const { last } = this;
    this.last = { run, seq };
    if (last?.run !== run || last.seq + 1 !== seq) return;
    if (!this.cursors.has(run)) {
      const other = this.others(run);
      const read = (block: number): string => this.records.arrived(run, block);
      this.cursors.set(run, other && new Cursor(run, read, memoizedAccounts(other)));
    }
    this.current = this.cursors.get(run);
    this.current?.goTo(seq + 1);
  }
}

const NEW: Judgement = { kind: 'new' };

/** Accounts that are remembered. When so many are, all are forgotten, so that memory stays bounded. */
const REMEMBERED_ACCOUNTS = 50_000;

function memoizedAccounts(other: OtherRecords): OtherRecords['accountOf'] {
  const accounts = new Map<number, AccountKey>();
  return (number) => {
    let found = accounts.get(number);
    if (!found) {
      if (accounts.size >= REMEMBERED_ACCOUNTS) accounts.clear();
      accounts.set(number, (found = other.accountOf(number)));
    }
    return found;
  };
}

function isSame(a: AccountKey, b: AccountKey): boolean {
  return a.external_account_number === b.external_account_number && a.import_supplier === b.import_supplier;
}

/** Bytes of a record in a block: its number, its account, its hash. */
const ENTRY = 8 + CONTENT_BYTES;

/** The arrived records of a run, one after the other. */
class Cursor {
  readonly run: number;
  private readonly read: (block: number) => string;
  private readonly accountOf: OtherRecords['accountOf'];
  private block = -1;
  private text = '';
  private at = 0;

  constructor(run: number, read: Cursor['read'], accountOf: Cursor['accountOf']) {
    this.run = run;
    this.read = read;
    this.accountOf = accountOf;
  }

  /** Passes over the next record if it equals another one. Returns its number then. */
  take({ content, account }: Pick<JudgedRecord, 'content' | 'account'>): number | undefined {
    if (this.at >= this.text.length) {
      this.load(this.block + 1);
      if (this.text === '') return undefined;
    }
    const { text, at } = this;
    for (let byte = 0; byte < CONTENT_BYTES; byte++)
      if (text.charCodeAt(at + 8 + byte) !== content.charCodeAt(byte)) return undefined;
    if (!isSame(this.accountOf(numberAt(text, at + 4)), account)) return undefined;
    this.at += ENTRY;
    return numberAt(text, at);
  }

  /** Goes to the first record with at least this number. */
  goTo(seq: number): void {
    this.load(Math.floor(seq / BLOCK));
    while (this.at < this.text.length && numberAt(this.text, this.at) < seq) this.at += ENTRY;
  }

  private load(block: number): void {
    if (block !== this.block) this.text = this.read(block);
    this.block = block;
    this.at = 0;
  }
}

/** A number of four bytes, the first one the highest. */
function numberAt(text: string, at: number): number {
  let number = 0;
  for (let byte = 0; byte < 4; byte++) number = number * 256 + text.charCodeAt(at + byte);
  return number;
}
