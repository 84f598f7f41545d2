import { rule } from '../../core/rules/rule.ts';
import { compareDecimals, Decimal } from '../../core/values/decimal.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';

export const isConflictingReplay = rule(
  {
    name: 'conflicting-replay',
    authority: 'chosen',
    source: 'emulator.md, "Decisions where the interface is silent"',
    says: 'A transaction that exists and comes again with other content changes nothing; it is counted. 1.0 and 1.00 are one content.',
    tested:
      'server/routes/transactions › silent: an id that comes again with another amount changes nothing and is counted',
  },
  // The texts are nearly always equal, so they are parsed only when they are not.
  (stored: string, sent: string): boolean =>
    stored !== sent && !sameContent(parseExactJson(stored), parseExactJson(sent)),
);

function sameContent(a: unknown, b: unknown): boolean {
  if (a instanceof Decimal && b instanceof Decimal) return compareDecimals(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(
      ([name, value]) => Object.hasOwn(b, name) && sameContent(value, (b as Record<string, unknown>)[name]),
    )
  );
}
