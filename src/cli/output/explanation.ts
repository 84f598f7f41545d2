import type { Authority } from '../../core/error-codes/entry.ts';
import { FIELD_CODES, RULE_CODES } from '../../core/error-codes/platform-codes.ts';
import { adviceForClients, nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { retryOfStatus, type Retry } from '../../core/contract/retry.ts';
import { areaOf, entryOf, isWarning, retryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import { EXITS, type ExitName } from './exit-codes.ts';
import type { CodeRule } from '../../core/operator/contract.ts';
import { isCheckable } from '../../core/operator/enforcement.ts';
import { exitDocument, type ExitDocument, type Part, type Result } from './result.ts';

/** Codes to explain: a page for each, or one line for each when `asList`. */
export interface ExplanationResult {
  readonly codes: readonly ErrorCode[];
  /** Rules of the contract whose codes are in no other table, each with the name of the operator's document. */
  readonly operatorRules: readonly OperatorRule[];
  /** Where each rule of the contract is enforced, by code, and whether `check` is among these places. */
  readonly enforced: ReadonlyMap<string, { readonly says: string; readonly isChecked: boolean }>;
  /** The code that was asked for, when no version has it any more, and the sentence that says what came in its place. */
  readonly removed?: { readonly code: string; readonly now: string };
  readonly asList: boolean;
}

/** A rule that only the contract of the operator has. */
export type OperatorRule = CodeRule & { readonly document: string };

export const shownExplanation = ({ asList, removed, ...result }: ExplanationResult): Result => {
  const codes = allExplained(result);
  return {
    fields: { ...(removed && { removed }), codes },
    text: () => [
      ...(removed ? [`${removed.code} is no code any more: ${removed.now}`, ''] : []),
      ...(asList
        ? byArea(codes)
        : codes.flatMap((code, index) => (index > 0 ? ['', ...page(code)] : page(code)))),
    ],
  };
};

function allExplained({
  codes,
  operatorRules,
  enforced,
}: Omit<ExplanationResult, 'asList'>): readonly ExplainedCode[] {
  return [...codes.map(explained), ...operatorRules.map(explainedRule)].map((each) => {
    const rule = enforced.get(each.code);
    if (!rule) return each;
    const isFoundByCheck = rule.isChecked || each.also?.name !== 'INPUT_INVALID';
    return { ...each, also: isFoundByCheck ? each.also : null, enforced: rule.says };
  });
}

/** Endings that a sentence has in some cases only. An explanation is general and leaves them out. */
export const NO_ENDINGS = { suggestion: '', hint: '' } as const;

/** One code as `explain --json` shows it. */
interface ExplainedCode {
  readonly code: string;
  /** The part of the program or of the platform that it is about. */
  readonly area: string;
  readonly meaning: string;
  readonly authority: Authority;
  /** Status of the platform's answer; null for codes that only the client reports. */
  readonly http_status: number | null;
  readonly retry: Retry;
  /** Null for a code that is only ever a warning. */
  readonly exit: ExitDocument | null;
  /** The exit when the other end finds the problem; null for a code that only one end reports. */
  readonly also: ExitDocument | null;
  readonly next: string;
  /** For the author of another client; null where `next` is for everybody. */
  readonly next_in_client: string | null;
  /** Where the operator's document has the code; missing for codes of the table. */
  readonly from?: string;
  /** Where a rule that the operator's document names is enforced; missing for other codes. */
  readonly enforced?: string;
}

/** The refusal of a rule that only the operator knows. */
function explainedRule({ code, title, document, from }: OperatorRule): ExplainedCode {
  return {
    code,
    area: 'the contract of the operator',
    meaning: title === '' ? `a rule of ${document}, which says no more about it` : title,
    authority: 'operator',
    http_status: 400,
    retry: retryOfStatus(400),
    exit: exitDocument('REFUSED'),
    also: null,
    next: 'Correct the rows that the platform refuses, or ask the operator about the rule.',
    next_in_client: null,
    from: `${document}, ${from}`,
  };
}

function explained(code: ErrorCode): ExplainedCode {
  const { authority, status, exit, inRequest } = entryOf(code);
  const other = otherExit(code);
  return {
    code,
    area: areaOf(code),
    meaning: sentenceOf(code, NO_ENDINGS),
    authority,
    http_status: status,
    retry: retryOf(code),
    exit: isWarning(code) ? null : exitDocument(exit),
    also: other === null ? null : exitDocument(other),
    next: nextStepOf(code, NO_ENDINGS),
    next_in_client: inRequest === undefined ? null : adviceForClients(code, NO_ENDINGS),
  };
}

/**
 * A rule that both ends know ends a command with another exit when the other end finds the problem: a check of the file, or
 * the platform. Null for all other codes.
 */
export function otherExit(code: ErrorCode): Extract<ExitName, 'INPUT_INVALID' | 'REFUSED'> | null {
  const { status, exit } = entryOf(code);
  const isAboutRecords = Object.hasOwn(FIELD_CODES, code) || Object.hasOwn(RULE_CODES, code);
  if (status !== 400 || isWarning(code) || !isAboutRecords || !isCheckable(code)) return null;
  if (exit === 'REFUSED') return 'INPUT_INVALID';
  return exit === 'INPUT_INVALID' ? 'REFUSED' : null;
}

/** A heading for each area, and one line for each code. */
const byArea = (codes: readonly ExplainedCode[]): readonly Part[] =>
  [...Map.groupBy(codes, ({ area }) => area)].flatMap(([area, of], index) => [
    ...(index > 0 ? [''] : []),
    area,
    ...of.map(({ code, meaning }) => `  ${code}: ${meaning}`),
  ]);

const AUTHORITY_TEXT: Readonly<Record<Authority, string>> = {
  documented: 'the interface document',
  observed: 'published descriptions of deployments',
  chosen: 'dataimport itself',
  operator: 'the contract of the operator',
};

const RETRY_TEXT: Readonly<Record<Retry, string>> = {
  never: 'no',
  wait: 'yes, unchanged, after a wait',
  token: 'yes, with a new token',
};

const WARNING_EXIT = 'none: a warning does not change how the command ends';

const OTHER_END: Readonly<Record<string, string>> = {
  INPUT_INVALID: 'a check of the file finds it',
  REFUSED: 'the platform refuses the record',
};

function page(explained: ExplainedCode): readonly Part[] {
  const { code, meaning, authority, http_status, retry, exit, also, next, next_in_client, from, enforced } =
    explained;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['comes from', `${AUTHORITY_TEXT[authority]}${from === undefined ? '' : `: ${from}`}`],
    ['HTTP status', http_status?.toString() ?? 'none, the client finds it'],
    ['sent again', RETRY_TEXT[retry]],
    ['exit', exit ? `${exit.code} ${exit.name}: ${EXITS[exit.name as ExitName].meaning}` : WARNING_EXIT],
    ['operator', enforced],
    ['or', also && `${also.code} ${also.name}, when ${OTHER_END[also.name]}`],
    ['next', next],
    ['your client', next_in_client],
  ];
  const given = facts.filter((fact): fact is readonly [string, string] => Boolean(fact[1]));
  return [`${code}: ${meaning}`, '', { facts: given.map(([label, text]) => [`  ${label}`, text]) }];
}
