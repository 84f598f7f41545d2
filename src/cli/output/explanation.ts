import type { Authority } from '../../core/error-codes/entry.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { retryOfStatus, type Retry } from '../../core/contract/retry.ts';
import { areaOf, entryOf, isWarning, retryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import { EXITS, type ExitName } from './exit-codes.ts';
import type { CodeRule } from '../../core/operator/contract.ts';
import { shownAs } from './formats/result-formats.ts';
import { exitDocument, type ExitDocument } from './json.ts';
import { escapedLines } from './text/text.ts';

/** Codes to explain: a page for each, or one line for each when `asList`. */
export interface ExplanationResult {
  readonly codes: readonly ErrorCode[];
  /** Rules of the contract whose codes are in no other table, each with the name of the operator's document. */
  readonly operatorRules: readonly OperatorRule[];
  /** Where the contract says that each of its rules is enforced, by code. */
  readonly enforced: ReadonlyMap<string, string>;
  readonly asList: boolean;
}

/** A rule that only the contract of the operator has. */
export type OperatorRule = CodeRule & { readonly document: string };

export const shownExplanation = shownAs<ExplanationResult>({
  document: (result, exit) => ({ version: 1, exit: exitDocument(exit), codes: allExplained(result) }),
  text: ({ asList, ...result }) => {
    const all = allExplained(result);
    return asList ? byArea(all) : all.map((each) => escapedLines(page(each))).join('\n');
  },
});

function allExplained({
  codes,
  operatorRules,
  enforced,
}: Omit<ExplanationResult, 'asList'>): readonly ExplainedCode[] {
  return [...codes.map(explained), ...operatorRules.map(explainedRule)].map((each) => {
    const words = enforced.get(each.code);
    return words === undefined ? each : { ...each, enforced: words };
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
  readonly next: string;
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
    next: 'Correct the rows that the platform refuses, or ask the operator about the rule.',
    from: `${document}, ${from}`,
  };
}

function explained(code: ErrorCode): ExplainedCode {
  const { authority, status, exit } = entryOf(code);
  return {
    code,
    area: areaOf(code),
    meaning: sentenceOf(code, NO_ENDINGS),
    authority,
    http_status: status,
    retry: retryOf(code),
    exit: isWarning(code) ? null : exitDocument(exit),
    next: nextStepOf(code, NO_ENDINGS),
  };
}

/** A heading for each area, and one line for each code. */
function byArea(codes: readonly ExplainedCode[]): string {
  const areas = Map.groupBy(codes, ({ area }) => area);
  return [...areas]
    .map(([area, of]) => escapedLines([area, ...of.map(({ code, meaning }) => `  ${code}: ${meaning}`)]))
    .join('\n');
}

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

function page(explained: ExplainedCode): readonly string[] {
  const { code, meaning, authority, http_status, retry, exit, next, from, enforced } = explained;
  return [
    `${code}: ${meaning}`,
    '',
    `  comes from   ${AUTHORITY_TEXT[authority]}${from === undefined ? '' : `: ${from}`}`,
    `  HTTP status  ${http_status ?? 'none, the client finds it'}`,
    `  sent again   ${RETRY_TEXT[retry]}`,
    `  exit         ${exit === null ? WARNING_EXIT : `${exit.code} ${exit.name}: ${EXITS[exit.name as ExitName].meaning}`}`,
    ...(enforced === undefined ? [] : [`  operator     ${enforced}`]),
    `  next         ${next}`,
  ];
}
