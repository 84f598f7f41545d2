import type { Path } from '../../../core/problem.ts';
import { Decimal } from '../../../core/values/decimal.ts';

type Container = Record<string | number, unknown>;

/** A copy with another value at the path. Undefined leaves the field out. */
export function withValueAt(root: unknown, [part, ...below]: Path, value: unknown): unknown {
  if (part === undefined) return value;
  if (typeof root !== 'object' || root === null || root instanceof Decimal) return root;
  const copy = (Array.isArray(root) ? [...(root as unknown[])] : { ...root }) as Container;
  copy[part] = withValueAt(copy[part], below, value);
  return copy;
}

/** The fields of an object; none of any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Decimal)
    ? (value as Record<string, unknown>)
    : {};
}

/** The value as a list; empty when it is none. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a decimal; none when it is no number. */
export function decimalOf(value: unknown): readonly Decimal[] {
  const read = typeof value === 'string' ? Decimal.parse(value) : value;
  return read instanceof Decimal ? [read] : [];
}

/** The amounts that the amount of a transaction is the sum of. */
export function amountsOfItems(transaction: unknown): readonly Decimal[] {
  const { line_items, tax_items } = fieldsOf(transaction);
  return [
    ...itemsOf(line_items).map((item) => fieldsOf(item)['net_amount']),
    ...itemsOf(tax_items).map((item) => fieldsOf(item)['amount']),
  ].flatMap(decimalOf);
}
