import { unicodeEscape } from '../../core/command-line.ts';

// JSON.stringify escapes C0 controls and lone surrogates but leaves these as they are. Inside a JSON text they occur
// in strings only, so a reader gets the same value from the escape.
const STILL_UNSAFE = /[\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g;

/** JSON text that is safe to show on a terminal. */
export function jsonText(document: unknown, indent?: number): string {
  return JSON.stringify(document, undefined, indent).replace(STILL_UNSAFE, unicodeEscape);
}

/** A value with its keys in snake case, except the keys that are left out. */
export function snakeKeys(value: unknown, leftOut: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => snakeKeys(item, leftOut));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([key]) => !leftOut.includes(key));
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snakeKeys(inner, leftOut),
    ]),
  );
}
