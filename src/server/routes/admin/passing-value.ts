import { TRANSACTION_TYPES } from '../../../core/contract/transaction.ts';
import { pathOfAttr, type Path } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';
import { negated } from '../../../core/values/decimal-shift.ts';
import { parseExactJson } from '../../../core/values/exact-json.ts';
import type { Platform } from '../../platform/platform.ts';

/** A value that the platform accepts in place of a refused one. */
export interface PassingValue {
  /** JSON text; null when the field has to be left out. */
  readonly json: string | null;
}

/** Most values that are tried. Each try validates the whole request. */
const MOST_TRIES = 80;

/**
 * Finds a value that makes a request pass at a path, by trying. Null when none of the tried values passes, such as for a rule
 * between fields.
 */
export function passingValue(
  body: string,
  attr: string,
  isAccepted: (body: string) => boolean,
  platform: Platform,
): PassingValue | null {
  const path = pathOfAttr(attr);
  if (path.length === 0) return null;
  const parsed = parsedBody(body);
  if (parsed === undefined) return null;
  const tried = new Set<string>();
  for (const candidate of candidatesFor(valueAt(parsed, path), path, parsed, platform)) {
    const changed = JSON.stringify(withValueAt(parsed, path, candidate));
    if (tried.has(changed)) continue;
    tried.add(changed);
    if (isAccepted(changed)) return { json: candidate === undefined ? null : JSON.stringify(candidate) };
    if (tried.size >= MOST_TRIES) return null;
  }
  return null;
}

function parsedBody(body: string): unknown {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
}

type Container = Record<string | number, unknown>;

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Container)[part]
        : undefined,
    root,
  );
}

/** A copy with another value at the path. Undefined leaves the field out. */
function withValueAt(root: unknown, [part, ...below]: Path, value: unknown): unknown {
  if (part === undefined) return value;
  if (typeof root !== 'object' || root === null || root instanceof Decimal) return root;
  const copy = (Array.isArray(root) ? [...(root as unknown[])] : { ...root }) as Container;
  copy[part] = withValueAt(copy[part], below, value);
  return copy;
}

/** The values to try: corrections of the given value first, then values of the same account, of the seed and of the interface. */
function* candidatesFor(given: unknown, path: Path, body: unknown, platform: Platform): Generator<unknown> {
  if (typeof given === 'string') yield* correctionsOf(given);
  if (given instanceof Decimal) {
    yield Decimal.of(given.text.replace(/(\.\d\d)\d+$/, '$1'));
    yield negated(given);
    yield given.text;
  }
  const account = accountOf(body, platform);
  const dates = [account?.openStatement?.from, account?.openStatement?.to, platform.today(), '2026-01-31'];
  const isTime = String(path.at(-1)).endsWith('_at');
  for (const date of dates) if (date !== undefined) yield isTime ? `${date}T12:00:00Z` : date;
  yield* namesOf(path, platform);
  yield Decimal.of('12.50');
  yield Decimal.of('1');
  yield 'text';
  yield 'statements/2026-01.pdf';
  yield true;
  if (typeof given === 'string') yield `${given.slice(0, 40)}-2`;
  // An unlisted field has to go, and an optional one may.
  yield undefined;
}

/** The same value in the notation of the interface. */
function* correctionsOf(given: string): Generator<unknown> {
  const text = given.trim();
  yield text;
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text) ?? [];
  if (day && month && year) {
    yield `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    yield `${year}-${day.padStart(2, '0')}-${month.padStart(2, '0')}`;
  }
  const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)/.exec(text);
  if (time) {
    yield `${time[1]}T${time[2]!.padEnd(8, ':00')}Z`;
    yield time[1];
  }
  if (/^\d{4}-\d\d-\d\d$/.test(text)) yield `${text}T00:00:00Z`;
  const digits = text
    .replaceAll(/[^\d.,-]/g, '')
    .replace(/,(?=\d{3}(?:\D|$))/g, '')
    .replace(',', '.');
  if (/^-?\d{1,15}(\.\d+)?$/.test(digits)) {
    const amount = Decimal.of(digits);
    yield amount;
    yield Decimal.of(digits.replace(/(\.\d\d)\d+$/, '$1'));
    yield negated(amount);
  }
  const shouted = text.toUpperCase().replaceAll(/[\s-]+/g, '_');
  yield shouted;
  yield text
    .replace(/^[/\\]+/, '')
    .replaceAll('\\', '/')
    .replaceAll('../', '');
  for (const length of [1_000, 255, 100, 64, 50, 40, 20])
    if (text.length > length) yield text.slice(0, length);
}

/** The names that the platform knows. */
function* namesOf(path: Path, { store }: Platform): Generator<string> {
  const field = String(path.at(-1));
  if (field === 'import_supplier') for (const { code } of store.suppliers.all()) yield code;
  if (field === 'type') yield* TRANSACTION_TYPES;
  for (const { code, instructions } of store.vendors.all()) {
    yield code;
    for (const { reference, type } of instructions) {
      yield reference;
      yield type;
    }
  }
  yield* store.productCodes.all();
  for (const { field: name, value } of store.enumValues.all()) if (name === field) yield value;
}

function accountOf(body: unknown, { store }: Platform) {
  const [import_supplier, external_account_number] = ['import_supplier', 'external_account_number'].map(
    (name) => String(valueAt(body, [name])),
  );
  return store.accounts.find({
    import_supplier: import_supplier!,
    external_account_number: external_account_number!,
  });
}
