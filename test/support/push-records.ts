import { RESOURCES, type RecordOf, type Resource } from '../../src/core/contract/resources.ts';
import type { TransactionType } from '../../src/core/contract/transaction.ts';
import { attrOfPath } from '../../src/core/problem.ts';
import { checkRecord } from '../../src/core/rules/record.ts';
import { parseExactJson } from '../../src/core/values/exact-json.ts';

/** Today in all tests of records. */
export const TODAY = '2026-11-21';

/** Plain data of a record. Its numbers become exact decimals. */
export type Draft = Readonly<Record<string, unknown>>;

const common = { transaction_id: 'T-1', transaction_date: '2026-01-05' };

/** One transaction of each type, with every field that the interface shows for the type (interface.md 2.4). */
export const transactions: Readonly<Record<TransactionType, Draft>> = {
  CHARGE: {
    ...common,
    type: 'CHARGE',
    amount: 10.5,
    reason: 'IMPORTED_CHARGE',
    display_note: 'Opening balance',
    note: 'checked',
  },
  CREDIT: {
    ...common,
    type: 'CREDIT',
    amount: 10.5,
    reason: 'IMPORTED_CREDIT',
    display_note: 'Goodwill',
    note: 'checked',
  },
  PAYMENT: {
    ...common,
    type: 'PAYMENT',
    amount: 10.5,
    reason: 'ACCOUNT_CHARGE_PAYMENT',
    note: 'n',
    reference: 'R-1',
    payment_type: 'DD_REGULAR_COLLECTION',
  },
  REPAYMENT: {
    ...common,
    type: 'REPAYMENT',
    amount: 10.5,
    reason: 'FULL_CREDIT_REFUND',
    note: 'n',
    reference: 'R-1',
    payment_type: 'DIRECT_CREDIT',
  },
  // The example of interface.md, checked in deployments.md: 4 units at 11 are 44, and 0.21 of that is 9.24 of tax.
  SUPPLY_CHARGE: {
    ...common,
    type: 'SUPPLY_CHARGE',
    amount: 53.24,
    display_note: 'Winter',
    product_code: 'FLAT',
    line_items: [
      {
        rate_band: 'CONSUMPTION_STANDARD',
        start_date: '2025-12-01',
        end_date: '2025-12-31',
        number_of_units: 4,
        net_amount: 44,
        price_per_unit: 11,
        units: [100, 104],
      },
    ],
    tax_items: [{ amount: 9.24, tax_type: 'VAT', value_taxed: 44, rate: 0.21, unit_type: 'PROPORTION' }],
  },
};

/** Samples of one resource. */
interface Sample {
  /** A record with every field of the interface. */
  readonly draft: Draft;
  /** The table "Required fields" of deployments.md, and the fields of interface.md 2 that it leaves optional. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** The nth of many records of one account. */
  readonly nth: (n: number) => Draft;
  /** The cells of a valid row; `id` is unique in the account. */
  readonly cells: (id: string) => Readonly<Record<string, string>>;
}

const note = {
  body: 'Called about the meter',
  document_paths: [{ document_path: 'letters/1.pdf' }],
  created_at: '2024-03-05T18:48:16Z',
  is_pinned: true,
  unpin_at: '2024-04-05T18:48:16Z',
};
const statement = {
  bill_period_from_date: '2025-01-01',
  bill_period_to_date: '2025-03-31',
  statement_id: 'S-1',
  issued_date: '2025-04-04',
  number: 'INV-1',
  gross_amount: 38352,
  statement_path: 'statements/S-1.pdf',
};

/** A new resource needs its samples here; the tests of all resources take them from here. */
export const SAMPLES: Readonly<Record<Resource, Sample>> = {
  notes: {
    draft: note,
    required: [],
    optional: ['body', 'document_paths', 'created_at', 'is_pinned', 'unpin_at'],
    nth: (n) => ({ body: `Note number ${n}`, created_at: `2024-03-05T18:48:${String(n).padStart(2, '0')}Z` }),
    cells: (id) => ({ body: `Note ${id}`, created_at: '2024-03-05T18:48:16Z' }),
  },
  transactions: {
    draft: transactions.SUPPLY_CHARGE,
    required: ['transaction_id', 'transaction_date', 'amount', 'type', 'product_code', 'line_items'],
    optional: ['display_note', 'tax_items'],
    nth: (n) => ({ ...transactions.CHARGE, transaction_id: `T-${n}`, amount: `${n}.50` }),
    cells: (id) => ({
      transaction_id: id,
      transaction_date: '2026-01-05',
      amount: '10.10',
      type: 'CHARGE',
    }),
  },
  statements: {
    draft: statement,
    required: ['bill_period_from_date', 'bill_period_to_date', 'statement_id'],
    optional: ['issued_date', 'number', 'gross_amount', 'statement_path'],
    nth: (n) => ({ ...statement, statement_id: `S-${n}`, number: `INV-${n}` }),
    cells: (id) => ({
      statement_id: id,
      bill_period_from_date: '2025-01-01',
      bill_period_to_date: '2025-03-31',
      gross_amount: '1010',
    }),
  },
  'payment-instructions': {
    draft: { vendor: 'STRIPE', reference: 'pi_1', type: 'CARD' },
    required: ['vendor', 'type', 'reference'],
    optional: [],
    nth: (n) => ({ vendor: 'STRIPE', reference: `pi_${n}`, type: 'CARD' }),
    cells: (id) => ({ vendor: 'STRIPE', reference: id, type: 'CARD' }),
  },
};

/** A value for each resource. */
export function mapResources<T>(valueOf: (resource: Resource) => T): Readonly<Record<Resource, T>> {
  return Object.fromEntries(RESOURCES.map((resource) => [resource, valueOf(resource)])) as Record<
    Resource,
    T
  >;
}

/** One record of each resource with every field of the interface. */
export const drafts = mapResources((resource) => SAMPLES[resource].draft);

/** The draft as a parsed candidate, in which every number is an exact decimal. */
export function candidate(draft: unknown): unknown {
  return parseExactJson(JSON.stringify(draft));
}

/** The record of a valid draft. */
export function recordOf<K extends Resource>(resource: K, draft: unknown): RecordOf[K] {
  const { record, problems } = checkRecord(resource, candidate(draft), { today: TODAY });
  if (record === undefined) throw new Error(`not a valid draft: ${JSON.stringify(problems)}`);
  return record;
}

/** The problems of a draft, as `error required line_items.0.net_amount`. */
export function problemsIn(resource: Resource, draft: unknown): readonly string[] {
  return checkRecord(resource, candidate(draft), { today: TODAY }).problems.map(
    ({ severity, code, path }) => `${severity} ${code} ${attrOfPath(path)}`,
  );
}

/** The draft with the value at a dotted path replaced, or removed when it is undefined. */
export function withField(draft: Draft, path: string, value: unknown): Draft {
  const copy = structuredClone(draft) as Record<string, unknown>;
  const parts = path.split('.');
  const last = parts.pop()!;
  let at = copy;
  for (const part of parts) at = at[part] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}
