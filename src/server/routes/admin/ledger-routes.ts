import type * as z from 'zod/mini';
import { schemaBelow } from '../../../core/contract/field.ts';
import { descriptorOfKind, type RecordKind } from '../../../core/contract/resources.ts';
import { Decimal, sum, withPlaces } from '../../../core/values/decimal.ts';
import { parseExactJson, partsOf, withNumbers } from '../../../core/values/exact-json.ts';
import { ndJson } from '../../http/answer.ts';
import { documentLocations, documentWarnings } from '../../platform/document-locations.ts';
import type { LedgerFilter, LedgerRow, TotalRow } from '../../store/ledger.ts';
import type { Store } from '../../store/store.ts';
import type { Call, Route } from '../route.ts';
import { queryAs, adminRoute } from './admin-route.ts';
import { ledgerQuery } from './admin-schemas.ts';

/** GET /_local/ledger: every stored record, one a line, in the order of storage. */
export const ledgerRoute: Route = adminRoute('GET /_local/ledger', (call) =>
  ndJson(linesOf(call.server.platform.store, filterOf(call))),
);

/**
 * GET /_local/ledger/totals: exact sums by account and type, and over all accounts, with statements in minor units. It also
 * lists the transactions that are stored twice, or came again with other content.
 */
export const ledgerTotalsRoute: Route = adminRoute('GET /_local/ledger/totals', (call) => {
  const { ledger } = call.server.platform.store;
  const filter = filterOf(call);
  const accounts = ledger.totals(filter);
  const groups = Map.groupBy(accounts, ({ kind, type }) => `${kind} ${type ?? ''}`);
  const repeated = ledger.repeated(filter);
  return {
    totals: [...groups.values()].map(sumOf),
    accounts: accounts.map((row) => ({ ...row, amount: amountText(row.kind, row.amount) })),
    duplicates: repeated.filter(({ stored }) => stored > 1),
    conflicting_replays: repeated.filter(({ conflicting_replays: times }) => times > 0),
  };
});

function sumOf(totals: readonly TotalRow[]) {
  const { kind, type } = totals[0]!;
  const amounts = totals.flatMap(({ amount }) => (amount === null ? [] : [Decimal.of(amount)]));
  const amount = amounts.length === 0 ? null : sum(amounts).text;
  const count = totals.reduce((records, total) => records + total.count, 0);
  return { kind, type, count, amount: amountText(kind, amount) };
}

/** Minor units have no decimal places. */
export function amountText(kind: RecordKind, amount: string | null): string | null {
  const places = descriptorOfKind(kind).amount?.unit === 'minor' ? 0 : 2;
  return amount === null ? null : withPlaces(Decimal.of(amount), places);
}

function filterOf(call: Call): LedgerFilter {
  const { kind = null, import_supplier = null, external_account_number = null } = queryAs(ledgerQuery, call);
  return { kind, import_supplier, external_account_number };
}

/**
 * Reads a page at a time, so that memory stays flat and the server answers other requests in between. Records that are
 * stored meanwhile are left out.
 */
function* linesOf({ ledger, ...store }: Store, filter: LedgerFilter): Generator<string> {
  const lastSeq = ledger.lastSeq();
  for (let afterSeq = 0; ;) {
    const page = ledger.page({ afterSeq, lastSeq }, filter);
    for (const row of page) yield JSON.stringify(shownRecord(row, store));
    if (page.length === 0) return;
    afterSeq = page.at(-1)!.seq;
  }
}

/** A stored record as the admin API shows it. What it does not have is undefined. */
export function shownRecord(
  { data: text, conflicting_replays: conflicts, ...row }: LedgerRow,
  store: Pick<Store, 'suppliers'>,
) {
  const data = parseExactJson(text) as Fields;
  return {
    ...row,
    data: withDecimalTexts(data, row.kind),
    documents: documentLocations({ ...row, data }, store),
    warnings: documentWarnings({ ...row, data }),
    conflicting_replays: conflicts > 0 ? conflicts : undefined,
  };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Replaces the decimals of the interface by texts, so that no reader makes floats of them. A field that a contract adds may be any JSON,
 * in which a number and a text are two values.
 */
export function withDecimalTexts(data: Fields, kind: RecordKind): Fields {
  return textsIn(data, descriptorOfKind(kind).schema) as Fields;
}

function textsIn(value: unknown, schema: z.ZodMiniType | undefined): unknown {
  if (!schema) return withNumbers(value);
  if (value instanceof Decimal) return value.text;
  if (Array.isArray(value)) return value.map((part, index) => textsIn(part, schemaBelow(schema, index)));
  const parts = partsOf(value);
  if (!parts) return value;
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, textsIn(part, schemaBelow(schema, name))]),
  );
}
