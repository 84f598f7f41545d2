import { AUTHORITIES, type Authority } from '../../core/error-codes/entry.ts';
import type { Provenance } from '../../core/rules/rule.ts';
import { DECISIONS } from './decisions.ts';
import { RULES } from './rules.ts';

/** How far the local platform rests on the interface, and how far on us (emulator.md, "Authority of a rule"). */
export interface Parity {
  readonly counts: Readonly<Record<Authority | 'all', number>>;
  readonly rules: readonly Provenance[];
}

/** Every rule of the local platform, with how many there are of each authority. */
export function parity(): Parity {
  const rules: readonly Provenance[] = [...RULES, ...DECISIONS];
  const countOf = (authority: Authority) => rules.filter((rule) => rule.authority === authority).length;
  const [documented, observed, chosen] = AUTHORITIES.map(countOf) as [number, number, number];
  return { counts: { all: rules.length, documented, observed, chosen }, rules };
}
