import { Decimal } from '../../../core/values/decimal.ts';

/** Decimals as text, so that no reader makes floats of them. */
export function withDecimalTexts(value: unknown): unknown {
  if (value instanceof Decimal) return value.text;
  if (Array.isArray(value)) return value.map(withDecimalTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withDecimalTexts(part)]));
}
