import { BY_THE_CLOCK, canonical, instant } from './canonical.ts';
import { csvRows } from './csv-rows.ts';
import { exactJson, type Exact } from './exact-json.ts';
import { KIND_OF, recordOfRow, type Kind, type OracleRecord, type OracleResource } from './records.ts';
import { RuledAccount, type OpenPeriod } from './rules.ts';

/** The records of each account and kind in order, in canonical spelling. Keys are `account kind`. */
export type CanonicalLedger = ReadonlyMap<string, readonly string[]>;

/** A file to push. */
export interface OracleFile {
  readonly resource: OracleResource;
  readonly text: string;
}

/** The accounts by number, each with its open period. */
export type OracleAccounts = ReadonlyMap<string, OpenPeriod | undefined>;

/** Whether a row of a file, counted from 0, must not arrive. */
export type LeftOut = (file: OracleFile, row: number) => boolean;

const NOTHING: LeftOut = () => false;

/** The records that the platform must have after these files. Shares no code with the product, on purpose. */
export function expectedLedger(
  files: readonly OracleFile[],
  accounts: OracleAccounts,
  leftOut = NOTHING,
): CanonicalLedger {
  const held = new Map([...accounts].map(([number, open]) => [number, new RuledAccount(open)]));
  for (const file of files) {
    for (const [index, row] of csvRows(file.text).entries()) {
      if (leftOut(file, index)) continue;
      const { account, record } = recordOfRow(row);
      held.get(account)!.add(KIND_OF[file.resource], record);
    }
  }
  return canonicalOf(held);
}

/** The records of accounts, in canonical spelling. */
export function canonicalOf(accounts: ReadonlyMap<string, RuledAccount>): CanonicalLedger {
  return grouped(
    [...accounts].flatMap(([account, { stored }]) =>
      stored.map(({ kind, record }) => ({ account, kind, record })),
    ),
  );
}

/** The records of a local platform, from the text of `/_local/ledger`. `given`: the instants that the files name. */
export function actualLedger(ndjson: string, given: ReadonlySet<string>): CanonicalLedger {
  const lines = ndjson.split('\n').filter((line) => line !== '');
  return grouped(
    lines.map((line) => {
      const { external_account_number, kind, data } = exactJson(line) as Record<string, Exact>;
      return {
        account: external_account_number as string,
        kind: kind as Kind,
        record: withoutClock(data as OracleRecord, given),
      };
    }),
  );
}

/** Every `created_at` of the files. */
export function givenInstants(files: readonly OracleFile[]): ReadonlySet<string> {
  const cells = files.flatMap(({ text }) => csvRows(text).map((row) => row['created_at']));
  return new Set(cells.flatMap((cell) => (cell === undefined ? [] : [instant(cell)])));
}

/** Replaces a time of the platform's clock, which the oracle cannot know. */
function withoutClock(record: OracleRecord, given: ReadonlySet<string>): OracleRecord {
  const at = record['created_at'];
  const isGiven = typeof at !== 'string' || given.has(instant(at));
  return isGiven ? record : { ...record, created_at: BY_THE_CLOCK };
}

function grouped(
  records: readonly { readonly account: string; readonly kind: Kind; readonly record: OracleRecord }[],
): CanonicalLedger {
  const ledger = new Map<string, string[]>();
  for (const { account, kind, record } of records) {
    const key = `${account} ${kind}`;
    const list = ledger.get(key) ?? [];
    ledger.set(key, list);
    list.push(canonical(record));
  }
  return ledger;
}
