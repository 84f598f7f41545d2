import type { Transaction } from '../../core/contract/transaction.ts';
import { failure, type Problem } from '../../core/problem.ts';
import { DESCRIPTORS } from '../../core/contract/resources.ts';
import { isInsideOpenStatement, moveIntoOpenStatement } from '../../core/rules/statement-period.ts';
import { withPlaces } from '../../core/values/decimal.ts';
import { isSameJson, parseExactJson } from '../../core/values/exact-json.ts';
import { isJsonObject, type JsonObject } from '../../core/values/plain-json.ts';
import type { StoredAccount } from '../store/accounts.ts';
import { listOf } from '../store/setup.ts';
import type { RecordKey } from '../store/records.ts';
import { checkAsPlatform, type RecordCheck } from './checked-record.ts';
import { addNote } from './notes.ts';
import type { Platform } from './platform.ts';

/** The facts that all transactions of a request share. */
export interface TransactionSetting {
  readonly account: StoredAccount;
  readonly check: RecordCheck;
  /** The query parameters (interface.md 4.3). */
  readonly flags: Readonly<{ check_previously_added: boolean; force_add_to_current_statement: boolean }>;
}

/** `data` is the stored JSON text of the transaction. */
export type TransactionOutcome =
  | Readonly<{ kind: 'added'; data: string }>
  /** `differing` names the fields that came with other content. */
  | Readonly<{ kind: 'existing'; data: string; id: string; differing: readonly string[] }>
  | Readonly<{ kind: 'refused'; problems: readonly Problem[] }>;

/** Checks a transaction, skips it when it was added before, moves it into the open statement if asked, and adds it. */
export function addTransaction(
  candidate: unknown,
  { account, check, flags }: TransactionSetting,
  platform: Platform,
): TransactionOutcome {
  const { record, problems } = checkAsPlatform('transactions', candidate, check);
  if (!record) return { kind: 'refused', problems };
  const sent = transactionText(record);
  const key = {
    accountId: account.id,
    kind: 'transaction',
    key: DESCRIPTORS.transactions.identity(record).key,
  } as const;
  const { store, behaviour } = platform;
  const isOfPlatform = behaviour.transactionIds === 'platform';
  const existing = (): TransactionOutcome | undefined => {
    if (!flags.check_previously_added) return undefined;
    const present = isOfPlatform ? store.records.anywhere(key) : store.records.at({ ...key, variant: '' });
    if (!present) return undefined;
    const differing = differingFields(present.sent, sent);
    if (differing.length > 0) store.records.countConflict(present.seq);
    return { kind: 'existing', data: present.data, id: record.transaction_id, differing };
  };

  // Another account may have the id, and then this one could still take its key.
  const known = isOfPlatform ? existing() : undefined;
  if (known) return known;
  const placement = placed(record, { account, check, flags }, platform);
  // The rules that depend on the operator's settings do not apply to a repeated request, so that it finds what it added before.
  if (placement.kind === 'refused') return existing() ?? placement;
  const { moved } = placement;
  const data = moved ? transactionText(moved.transaction) : sent;
  const variant = flags.check_previously_added ? '' : freeVariant(key, platform);
  // Most transactions are new, so they are added without looking for them before.
  if (!store.records.add({ ...key, variant, data, ...(moved && { sent }) })) {
    const outcome = existing();
    // Cannot happen in the transaction of the request. If it did, answering "added" would be a lie.
    if (!outcome) throw new Error('a new transaction has the key of a stored one');
    return outcome;
  }
  if (moved) addNote(account, { body: moved.noteBody, is_pinned: true }, platform);
  return { kind: 'added', data };
}

type Placement =
  /** `moved` is the transaction in the open statement, when it is outside. */
  | Readonly<{ kind: 'placed'; moved?: ReturnType<typeof moveIntoOpenStatement> }>
  | Extract<TransactionOutcome, { kind: 'refused' }>;

/** Judges a new transaction by the settings of the operator. */
function placed(record: Transaction, { account, flags }: TransactionSetting, platform: Platform): Placement {
  if (!hasProduct(record, platform))
    return refused([failure('product_code_does_not_exist', ['product_code'])]);
  if (platform.behaviour.rules.includes('line_items_overlap_already_charged_period')) {
    const problems = chargedAlready(record, account, platform);
    if (problems.length > 0) return refused(problems);
  }
  if (isInsideOpenStatement(record.transaction_date, account.openStatement)) return { kind: 'placed' };
  const period = account.openStatement!;
  if (!flags.force_add_to_current_statement)
    return refused([failure('transaction_outside_open_statement', ['transaction_date'], { ...period })]);
  return { kind: 'placed', moved: moveIntoOpenStatement(record, period) };
}

/** The fields in which a transaction that comes again under its id has other content. 1.0 and 1.00 are the same content. */
function differingFields(stored: string, sent: string): readonly string[] {
  // The texts are nearly always equal, so they are parsed only when they differ.
  if (stored === sent) return [];
  const [before, after] = [stored, sent].map(
    (text) => parseExactJson(text) as Readonly<Record<string, unknown>>,
  );
  const names = new Set([...Object.keys(before!), ...Object.keys(after!)]);
  return [...names].filter((name) => !isSameJson(before![name], after![name]));
}

/** Whether the product code exists on the platform. Without a list every code exists. */
function hasProduct({ product_code }: Transaction, { store }: Platform): boolean {
  return product_code === undefined || (store.closedLists.takes(product_code, listOf.productCodes()) ?? true);
}

/** A problem for each line item whose period an earlier transaction has charged already, for the same supply point and rate. */
function chargedAlready(
  transaction: Transaction,
  account: StoredAccount,
  { store }: Platform,
): readonly Problem[] {
  return (transaction.line_items ?? []).flatMap((item, index) => {
    const charge = chargeOf(transaction, JSON.stringify(item));
    const overlapping = store.records.chargedIn({
      accountId: account.id,
      from: item.start_date,
      to: item.end_date,
    });
    return overlapping.some(
      (each) => chargeOf(JSON.parse(each.transaction) as JsonObject, each.item) === charge,
    )
      ? [failure('line_items_overlap_already_charged_period', ['line_items', index, 'start_date'])]
      : [];
  });
}

/**
 * The supply point and the rate that a line item charges, as a text (deployments.md, "What an operator's own description contains").
 * Operators have the supply point beside the line items, in them or in their params. Where a record names none, the product counts.
 */
function chargeOf(transaction: JsonObject, item: string): string {
  const { params, ...fields } = JSON.parse(item) as JsonObject;
  const point = fields['supply_point_identifier'] ?? transaction['supply_point_identifier'] ?? null;
  const target = isJsonObject(params) ? Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1)) : [];
  const isNamed = point !== null || target.length > 0;
  return JSON.stringify([
    isNamed ? [point, target] : transaction['product_code'],
    ...RATE_NAMES.map((name) => fields[name] ?? null),
  ]);
}

const RATE_NAMES = ['rate_band', 'rate_specification_code', 'time_series_specification_code'];

/** The amount is text with two decimals, as the interface returns it (interface.md 2.4). Other numbers stay as they were sent. */
function transactionText(transaction: Transaction): string {
  return JSON.stringify({ ...transaction, amount: withPlaces(transaction.amount, 2) });
}

/** '' for the first transaction of an id. A transaction that is added again without the check gets a number. */
function freeVariant(key: Omit<RecordKey, 'variant'>, { store }: Platform): string {
  const before = store.records.countOf(key);
  return before === 0 ? '' : String(before);
}

function refused(problems: readonly Problem[]): Extract<TransactionOutcome, { kind: 'refused' }> {
  return { kind: 'refused', problems };
}
