import { isJsonObject } from '../values/plain-json.ts';

/** A value of JSON without the blanks at both ends of its texts, at any depth, as an operator stores it whose contract has `trims`. */
export function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  // A parsed number is an instance of a class.
  if (!isJsonObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, trimmed(inner)]));
}
