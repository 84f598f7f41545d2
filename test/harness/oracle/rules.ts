import { BY_THE_CLOCK, instant } from './canonical.ts';
import { isDigits, type Exact } from './exact-json.ts';
import type { Kind, OracleRecord } from './records.ts';

/** The first and last day of the open statement, both included. */
export interface OpenPeriod {
  readonly from: string;
  readonly to: string;
}

/** One stored record. */
export interface Stored {
  readonly kind: Kind;
  readonly key: string;
  readonly record: OracleRecord;
  /** The record before the platform changed it. */
  readonly sent: OracleRecord;
}

/** The query of a request of transactions (interface.md 4.3). */
export interface Asked {
  readonly check: boolean;
  readonly force: boolean;
}

/** The effect of adding a record to an account (interface.md 3.3, 4.2 to 4.5). */
export type Effect = 'added' | 'existing' | 'outside';

const BOTH_ON: Asked = { check: true, force: true };

/** One account with its records, in the order of arrival. */
export class RuledAccount {
  readonly stored: Stored[] = [];
  private readonly open: OpenPeriod | undefined;

  constructor(open?: OpenPeriod) {
    this.open = open;
  }

  add(kind: Kind, record: OracleRecord, asked = BOTH_ON): Effect {
    switch (kind) {
      case 'note':
        return this.addNote(record);
      case 'transaction':
        return this.addTransaction(record, asked);
      case 'statement':
        return this.addOnce(kind, textOf(record['statement_id']), record);
      case 'payment_instruction':
        return this.addOnce(kind, '', record);
      default:
        return kind satisfies never;
    }
  }

  /** Whether the account has a record, or one that the platform treats as the same. */
  holds(kind: Kind, record: OracleRecord): boolean {
    switch (kind) {
      case 'note':
        return this.hasNote(record);
      case 'transaction':
        return this.find(kind, textOf(record['transaction_id'])) !== undefined;
      case 'statement':
        return this.find(kind, textOf(record['statement_id'])) !== undefined;
      case 'payment_instruction':
        return this.find(kind, '')?.record['reference'] === record['reference'];
      default:
        return kind satisfies never;
    }
  }

  private find(kind: Kind, key: string): Stored | undefined {
    return this.stored.find((each) => each.kind === kind && each.key === key);
  }

  /** A note exists with the same body, and with the same `created_at` when one is given (interface.md 4.2, rule 3). */
  private addNote(record: OracleRecord): Effect {
    if (this.hasNote(record)) return 'existing';
    const at = record['created_at'];
    const made = { ...record, created_at: at ?? BY_THE_CLOCK };
    this.stored.push({ kind: 'note', key: noteKey(record), record: made, sent: record });
    return 'added';
  }

  private hasNote(record: OracleRecord): boolean {
    const key = noteKey(record);
    const at = record['created_at'];
    const when = at === undefined ? undefined : instant(textOf(at));
    return this.stored.some(
      (each) =>
        each.kind === 'note' &&
        each.key === key &&
        (when === undefined || instant(textOf(each.record['created_at'])) === when),
    );
  }

  private addTransaction(sent: OracleRecord, { check, force }: Asked): Effect {
    const key = textOf(sent['transaction_id']);
    if (check && this.find('transaction', key)) return 'existing';
    const date = textOf(sent['transaction_date']);
    const { open } = this;
    const isInside = open === undefined || (date >= open.from && date <= open.to);
    if (!isInside && !force) return 'outside';
    const record = isInside ? sent : moved(sent, open);
    this.stored.push({ kind: 'transaction', key, record, sent });
    if (!isInside) this.addNote({ body: notice(sent, open), is_pinned: true });
    return 'added';
  }

  private addOnce(kind: Kind, key: string, record: OracleRecord): Effect {
    if (this.find(kind, key)) return 'existing';
    this.stored.push({ kind, key, record, sent: record });
    return 'added';
  }
}

/** Notes without a body are the same when they have the same documents. */
function noteKey(record: OracleRecord): string {
  const body = textOf(record['body'] ?? '');
  return body === '' ? `documents ${JSON.stringify(record['document_paths'] ?? [])}` : `body ${body}`;
}

/** The transaction on the nearest day of the open period, with a description of the move. */
function moved(sent: OracleRecord, open: OpenPeriod): OracleRecord {
  const to = nearest(sent, open);
  const field = sent['type'] === 'SUPPLY_CHARGE' ? 'display_note' : 'note';
  const moveNote = `Date changed from ${textOf(sent['transaction_date'])} to ${to}: outside the open statement period.`;
  const before = sent[field];
  return { ...sent, transaction_date: to, [field]: before ? `${textOf(before)} ${moveNote}` : moveNote };
}

function notice(sent: OracleRecord, open: OpenPeriod): string {
  const [id, from] = [textOf(sent['transaction_id']), textOf(sent['transaction_date'])];
  return `Transaction ${id} was dated ${from}, outside the open statement period ${open.from} to ${open.to}; it was added with the date ${nearest(sent, open)}.`;
}

function nearest(sent: OracleRecord, open: OpenPeriod): string {
  return textOf(sent['transaction_date']) < open.from ? open.from : open.to;
}

function textOf(value: Exact | undefined): string {
  if (typeof value !== 'string') {
    if (isDigits(value)) return value.digits;
    throw new Error('not a text');
  }
  return value;
}
