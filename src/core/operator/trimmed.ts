import { partsOf } from '../values/exact-json.ts';

/** A value of JSON without the blanks at both ends of its texts, at any depth, as an operator stores it whose contract has `trims`. */
export function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  const parts = partsOf(value);
  return parts
    ? Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, trimmed(part)]))
    : value;
}
