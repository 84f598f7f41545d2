import { AUTHORITIES, type Authority } from '../../core/error-codes/entry.ts';
import type { ErrorCode } from '../../core/error-codes/table.ts';
import rules from './rules.json' with { type: 'json' };

/** A rule of the local platform and where it comes from. */
export interface Rule {
  readonly name: string;
  /** `documented` by the interface, `observed` in deployments, or `chosen` for this platform. */
  readonly authority: Authority;
  /** Document and section. */
  readonly source: string;
  /** The rule, in a sentence or two. */
  readonly says: string;
  /** How interface.md and deployments.md contradict each other, and what the platform does. */
  readonly conflict?: string;
  /** The error codes that report a breach. */
  readonly codes?: readonly ErrorCode[];
  /** The test that shows the rule: file below `test` without its ending, ` › `, title. */
  readonly tested: string;
  /** File below `src` that implements the rule. */
  readonly file: string;
  /** The function in that file, where the rule is a function of its own. */
  readonly function?: string;
}

/** Every rule of the local platform: rules with a function of their own first, then in the order of a request. */
export const RULES = rules as readonly Rule[];

/** A rule as `GET /_local/parity` answers it. `built` is the file of a rule without a function of its own. */
type AnsweredRule = Omit<Rule, 'file' | 'function'> & { readonly built?: string };

/** How far the local platform rests on the interface, and how far on choices. */
export interface Parity {
  readonly counts: Readonly<Record<Authority | 'all', number>>;
  readonly rules: readonly AnsweredRule[];
}

/** The answer of `GET /_local/parity`. */
export function parity(): Parity {
  const countOf = (authority: Authority) => RULES.filter((rule) => rule.authority === authority).length;
  const [documented, observed, chosen] = AUTHORITIES.map(countOf) as [number, number, number];
  return {
    counts: { all: RULES.length, documented, observed, chosen },
    rules: RULES.map(({ file, function: name, ...rule }) => (name ? rule : { ...rule, built: file })),
  };
}
