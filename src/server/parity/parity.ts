import { AUTHORITIES, type Authority } from '../../core/error-codes/entry.ts';
import { isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import type { OperatorContract } from '../../core/operator/contract.ts';
import { enforcementOf, enforcementPhrase } from '../../core/operator/rules-by-code.ts';
import rules from './rules.json' with { type: 'json' };

/** A rule of the local platform and where it comes from. */
export interface Rule {
  readonly name: string;
  /** `documented` by the interface, `observed` in deployments, `chosen` for this platform, or demanded by the `operator`. */
  readonly authority: Authority;
  /** Document and section. */
  readonly source: string;
  /** The rule, in a sentence or two. */
  readonly says: string;
  /** How interface.md and deployments.md contradict each other, and what the platform does. */
  readonly conflict?: string;
  /** The error codes that report a breach. */
  readonly codes?: readonly ErrorCode[];
  /** The fields that the rule is about, `*` for any beginning, `?` for a query parameter, an empty name for the body as a whole. Default: every field. */
  readonly fields?: readonly string[];
  /** The endpoints that the rule is about, as fault rules name them. Default: every endpoint. */
  readonly endpoints?: readonly string[];
  /** The test that shows the rule: file below `test` without its ending, ` › `, title. Empty for a rule that is not enforced. */
  readonly tested: string;
  /** File below `src` that implements the rule. */
  readonly file: string;
  /** The function in that file, where the rule is a function of its own. */
  readonly function?: string;
}

/** Every rule of the local platform: rules with a function of their own first, then in the order of a request. */
export const RULES = rules as readonly Rule[];

/** A rule as `GET /_local/parity` answers it. */
type AnsweredRule = Omit<Rule, 'file' | 'function'>;

/** How far the local platform rests on the interface, and how far on choices. */
export interface Parity {
  readonly counts: Readonly<Record<Authority | 'all', number>>;
  readonly rules: readonly AnsweredRule[];
}

/** The answer of `GET /_local/parity`. */
export function parity(contract?: OperatorContract): Parity {
  const own = RULES.map(({ file: _file, function: _function, ...rule }): AnsweredRule => rule);
  const rules = [...own, ...(contract ? rulesOfOperator(contract) : [])];
  const countOf = (authority: Authority) => rules.filter((rule) => rule.authority === authority).length;
  const counts = Object.fromEntries(AUTHORITIES.map((authority) => [authority, countOf(authority)]));
  return { counts: { all: rules.length, ...(counts as Record<Authority, number>) }, rules };
}

interface RefusedPlace {
  readonly code: string;
  /** The name of the field; empty when the request is refused as a whole. */
  readonly field: string;
  /** Null for a path that the interface does not have. */
  readonly endpoint: string | null;
}

/** The rule of an endpoint that a refusal breaks: the one about the field, else the one about every field. Undefined when several fit. */
export function ruleOfProblem(
  { code, field, endpoint }: RefusedPlace,
  contract?: OperatorContract,
): AnsweredRule | undefined {
  const withCode = parity(contract).rules.filter(
    ({ codes = [], endpoints }) =>
      (codes as readonly string[]).includes(code) &&
      (endpoints === undefined || (endpoint !== null && endpoints.includes(endpoint))),
  );
  const isAbout = ({ fields = [] }: AnsweredRule) =>
    fields.some((name) => (name.startsWith('*') ? field.endsWith(name.slice(1)) : field === name));
  const own = withCode.filter(isAbout);
  const [rule, ...others] = own.length > 0 ? own : withCode.filter(({ fields }) => fields === undefined);
  return others.length === 0 ? rule : undefined;
}

/** The rules of a contract, with document and pointer. */
function rulesOfOperator(contract: OperatorContract): readonly AnsweredRule[] {
  const { document, rules: known } = contract;
  return known.map((rule) => {
    const { code, title, from } = rule;
    const words = title === '' ? 'The document of the operator has no words for it.' : title;
    const isEnforced = enforcementOf(rule) !== 'nowhere';
    const shown = RULES.find(({ codes }) => (codes as readonly string[] | undefined)?.includes(code));
    return {
      name: code,
      authority: 'operator',
      source: `${document.title} ${document.version}, ${from}`,
      says: `${words} (${enforcementPhrase(rule)})`,
      ...(isErrorCode(code) && { codes: [code] }),
      tested: isEnforced ? (shown?.tested ?? '') : '',
    };
  });
}
