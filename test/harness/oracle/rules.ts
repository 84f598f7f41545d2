import { BY_THE_CLOCK, instant } from './canonical.ts';
import { isDigits, type Exact } from './exact-json.ts';
import type { Kind, OracleRecord } from './records.ts';

/** The days of the statement that is open, both inside. */
export interface OpenPeriod {
  readonly from: string;
  readonly to: string;
}

/** One stored record. */
export interface Stored {
  readonly kind: Kind;
  readonly key: string;
  readonly record: OracleRecord;
  /** As it was sent, where the platform changed it. */
  readonly sent: OracleRecord;
}

/** What is asked with transactions (interface.md 4.3). */
export interface Asked {
  readonly check: boolean;
  readonly force: boolean;
}

/** What an account does with a record (interface.md 3.3, 4.2 to 4.5). */
export type Effect = 'added' | 'existing' | 'outside';

const BOTH_ON: Asked = { check: true, force: true };

/** One account with what it holds, in the order in which it came. */
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

  /** Whether a record that was sent is there, itself or one that the platform takes for it. */
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

  /** interface.md 4.2, rule 3: the same body, and the same `created_at` when one is given. */
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

/** Without a body the documents tell notes apart (emulator.md, "note identity"). */
function noteKey(record: OracleRecord): string {
  const body = textOf(record['body'] ?? '');
  return body === '' ? `documents ${JSON.stringify(record['document_paths'] ?? [])}` : `body ${body}`;
}

/** The nearest day of the period, and a description of the move (emulator.md, "outside the open period"). */
function moved(sent: OracleRecord, open: OpenPeriod): OracleRecord {
  const to = nearest(sent, open);
  const field = sent['type'] === 'SUPPLY_CHARGE' ? 'display_note' : 'note';
  const told = `Date changed from ${textOf(sent['transaction_date'])} to ${to}: outside the open statement period.`;
  const before = sent[field];
  return { ...sent, transaction_date: to, [field]: before ? `${textOf(before)} ${told}` : told };
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
