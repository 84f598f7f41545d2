import type { Chance } from '../chance.ts';
import { canonical } from '../oracle/canonical.ts';
import { csvRows } from '../oracle/csv-rows.ts';
import { recordOfRow, type OracleResource } from '../oracle/records.ts';

/** The resources of a life, in the order of sending. */
export const LIFE_RESOURCES = ['notes', 'statements', 'transactions', 'payment-instructions'] as const;

/** More numbers than a life has rows. */
export const MOST_NUMBERS = 100;

/** The times of all notes. */
export const INSTANTS: ReadonlySet<string> = new Set(
  Array.from({ length: 8 }, (_, hour) => `2026-01-05T${10 + hour}:00:00Z`),
);

/** One row of a file as its supplier means it. */
export interface LifeRow {
  readonly resource: OracleResource;
  readonly account: string;
  /** Unique among the rows of a resource. */
  readonly number: number;
  /** Counts the contents that the row has had. */
  readonly value: number;
  /** Another spelling of the same content. */
  readonly spelling: 0 | 1;
  /** Whether a cell is unreadable. */
  readonly isBroken: boolean;
}

const HEADERS: Readonly<Record<OracleResource, string>> = {
  notes: 'import_supplier,external_account_number,body,created_at',
  transactions: 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount',
  statements:
    'import_supplier,external_account_number,statement_id,number,issued_date,bill_period_from_date,bill_period_to_date,gross_amount',
  'payment-instructions': 'import_supplier,external_account_number,vendor,reference,type',
};

/** The cells after the supplier and the account. */
const CELLS: Readonly<Record<OracleResource, (row: LifeRow) => string>> = {
  notes: ({ number, value, spelling, isBroken }) => {
    const hour = 10 + (number % 8);
    const time = spelling === 0 ? `T${hour}:00:00Z` : `T${hour + 1}:00:00+01:00`;
    return `note ${number} of ${value},${isBroken ? 'soon' : `2026-01-05${time}`}`;
  },
  transactions: ({ number, value, spelling, isBroken }) =>
    `T-${number},2026-02-0${1 + (number % 9)},${number % 2 === 0 ? 'CREDIT' : 'CHARGE'},${amountOf(value, spelling, isBroken)}`,
  statements: ({ number, value, isBroken }) =>
    `S-${number},S-${number},2026-02-01,2026-01-01,2026-01-31,${isBroken ? 'x' : 100 + value}`,
  'payment-instructions': ({ number, isBroken }) =>
    `STRIPE,${isBroken ? '' : 'pi_'}${isBroken ? '' : number},CARD`,
};

/** Amounts that are not whole, so that a zero may follow. */
function amountOf(value: number, spelling: 0 | 1, isBroken: boolean): string {
  return isBroken ? 'x' : `${10 + value}.5${spelling === 0 ? '' : '0'}`;
}

/** The text of a file with these rows. */
export function textOf(resource: OracleResource, rows: readonly LifeRow[]): string {
  const lines = rows.map((row) => `ACME,${row.account},${CELLS[resource](row)}`);
  return [HEADERS[resource], ...lines, ''].join('\n');
}

/** The record of a row in the spelling of the ledger. */
export function recordOf(row: LifeRow): string {
  const [cells] = csvRows(textOf(row.resource, [{ ...row, isBroken: false }]));
  return canonical(recordOfRow(cells!).record);
}

/** What the platform and the folder know a record by. */
export function identityOf(row: LifeRow): string {
  return identityOfRecord(row.resource, row.account, recordOf(row));
}

/** The same of a record in the spelling of the ledger. Ids are ids of an account. */
export function identityOfRecord(resource: OracleResource, account: string, record: string): string {
  const [, id] = /^(?:transaction_id|statement_id)=(.*)$/m.exec(record) ?? [];
  if (id !== undefined) return `${resource} ${account} ${id}`;
  return resource === 'notes' ? `${resource} ${account} ${record}` : `${resource} ${account}`;
}

/** A new row, for an account that may have one more. */
export function newRow(
  resource: OracleResource,
  rows: readonly LifeRow[],
  { number, accounts, chance }: { number: number; accounts: readonly string[]; chance: Chance },
): LifeRow | undefined {
  // An account has one instruction.
  const free =
    resource === 'payment-instructions'
      ? accounts.filter((account) => !rows.some((row) => row.account === account))
      : accounts;
  if (free.length === 0) return undefined;
  const account = chance.pick(free);
  return { resource, account, number, value: chance.below(80), spelling: 0, isBroken: false };
}
