import { isDigits, type Exact } from './exact-json.ts';
import type { OracleRecord } from './records.ts';

/** Replaces an instant of the platform's clock. */
export const BY_THE_CLOCK = '(by the clock)';

const INSTANTS = new Set(['created_at', 'unpin_at']);
const NUMBERS = new Set([
  'amount',
  'gross_amount',
  'number_of_units',
  'net_amount',
  'price_per_unit',
  'value_taxed',
  'rate',
]);

/** One spelling for each record: its values as sorted lines of `path=value`. */
export function canonical(record: OracleRecord): string {
  return linesOf(record, '').sort().join('\n');
}

function linesOf(value: Exact, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((part: Exact, index) => linesOf(part, `${path}.${index}`));
  if (typeof value === 'object' && value !== null && !isDigits(value)) {
    const parts = Object.entries(value as OracleRecord);
    return parts.flatMap(([name, part]) => linesOf(part, path === '' ? name : `${path}.${name}`));
  }
  return [`${path}=${spelled(path, value as Exact)}`];
}

function spelled(path: string, value: Exact): string {
  const text = isDigits(value) ? value.digits : String(value as string | boolean | null);
  const names = path.split('.');
  const field = names.findLast((name) => !/^\d+$/.test(name))!;
  if (path === 'amount') return hundredths(text);
  if (NUMBERS.has(field) || field === 'units') return plain(text);
  return INSTANTS.has(field) ? instant(text) : text;
}

/** An amount with two decimals. */
function hundredths(text: string): string {
  const [whole, part = ''] = text.split('.') as [string, string?];
  return `${whole}.${part.padEnd(2, '0')}`;
}

/** A number without trailing zeros. */
function plain(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** The instant in UTC, to the second. */
export function instant(text: string): string {
  return text === BY_THE_CLOCK ? text : `${new Date(text).toISOString().slice(0, 19)}Z`;
}

/** An amount in hundredths, for exact sums. */
export function cents(text: string): bigint {
  return BigInt(hundredths(text).replace('.', ''));
}
