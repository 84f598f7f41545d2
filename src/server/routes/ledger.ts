import { RECORD_KINDS } from '../../core/contract/resources.ts';
import { failure } from '../../core/problem.ts';
import { Decimal } from '../../core/values/decimal.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { NdJson } from '../ndjson.ts';
import type { Ledger, LedgerFilter, LedgerRow } from '../store/ledger.ts';
import { refuseAny } from './record-route.ts';
import type { Route } from './route.ts';

/** GET /_local/ledger: every stored record in the order in which it was stored, one a line. */
export function ledgerRoute(ledger: Ledger): Route {
  return {
    method: 'GET',
    path: '/_local/ledger',
    access: 'loopback',
    answer: ({ query }) => ({ status: 200, body: new NdJson(linesOf(ledger, filterOf(query))) }),
  };
}

const FILTERS = ['kind', 'import_supplier', 'external_account_number'] as const;

function filterOf(query: Readonly<Record<string, unknown>>): LedgerFilter {
  refuseAny(
    Object.entries(query).flatMap(([name, value]) => {
      if (!(FILTERS as readonly string[]).includes(name)) return [failure('unexpected_field', [name])];
      if (typeof value !== 'string') return [failure('invalid', [name], { expected: 'one text' })];
      const isKnown = name !== 'kind' || (RECORD_KINDS as readonly string[]).includes(value);
      return isKnown ? [] : [failure('invalid_choice', [name], { known: RECORD_KINDS.join(', ') })];
    }),
  );
  const [kind, import_supplier, external_account_number] = FILTERS.map(
    (name) => (query[name] as string | undefined) ?? null,
  );
  return {
    kind: kind!,
    import_supplier: import_supplier!,
    external_account_number: external_account_number!,
  };
}

/**
 * Reads one row at a time, so that memory stays flat and other requests are served in between; the rows are those that
 * are there at the start.
 */
function* linesOf(ledger: Ledger, filter: LedgerFilter): Generator<string> {
  const lastSeq = ledger.lastSeq();
  let row = ledger.next({ afterSeq: 0, lastSeq }, filter);
  while (row) {
    yield lineOf(row);
    row = ledger.next({ afterSeq: row.seq, lastSeq }, filter);
  }
}

/** Decimals as text, so that no reader of the ledger makes floats of them. */
function lineOf({ data, conflicting_replays, ...row }: LedgerRow): string {
  const conflicts = conflicting_replays > 0 ? { conflicting_replays } : {};
  return JSON.stringify({ ...row, data: withDecimalTexts(parseExactJson(data)), ...conflicts });
}

function withDecimalTexts(value: unknown): unknown {
  if (value instanceof Decimal) return value.text;
  if (Array.isArray(value)) return value.map(withDecimalTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDecimalTexts(part)]));
}
