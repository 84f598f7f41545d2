import type { Authority } from '../../core/error-codes/entry.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import type { Retry } from '../../core/contract/retry.ts';
import { areaOf, entryOf, isWarning, retryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import { EXITS } from '../exit-codes.ts';
import type { ResultFormats } from './formats.ts';
import { exitDocument, type ExitDocument } from './json.ts';

/** Codes to explain: a page for each, or one line for each when `asList`. */
export interface ExplanationResult {
  readonly kind: 'explanation';
  readonly codes: readonly ErrorCode[];
  readonly asList: boolean;
}

export const explanationFormats: ResultFormats<ExplanationResult> = {
  document: ({ codes }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    codes: codes.map(explained),
  }),
  text: ({ codes, asList }) => {
    const all = codes.map(explained);
    return asList ? byArea(all) : all.map(page).join('\n');
  },
};

/** Endings that a sentence has in some cases only. An explanation is general and leaves them out. */
export const NO_ENDINGS = { suggestion: '', hint: '' } as const;

/** One code as `explain --json` shows it. */
interface ExplainedCode {
  readonly code: ErrorCode;
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
    .map(([area, of]) => [`${area}\n`, ...of.map(({ code, meaning }) => `  ${code}: ${meaning}\n`)].join(''))
    .join('\n');
}

const AUTHORITY_TEXT: Readonly<Record<Authority, string>> = {
  documented: 'the interface document',
  observed: 'published descriptions of deployments',
  chosen: 'dataimport itself',
};

const RETRY_TEXT: Readonly<Record<Retry, string>> = {
  never: 'no',
  wait: 'yes, unchanged, after a wait',
  token: 'yes, with a new token',
};

const WARNING_EXIT = 'none: a warning does not change how the command ends';

function page({ code, meaning, authority, http_status, retry, exit, next }: ExplainedCode): string {
  return [
    `${code}: ${meaning}`,
    '',
    `  comes from   ${AUTHORITY_TEXT[authority]}`,
    `  HTTP status  ${http_status ?? 'none, the client finds it'}`,
    `  sent again   ${RETRY_TEXT[retry]}`,
    `  exit         ${exit === null ? WARNING_EXIT : `${exit.code} ${exit.name}: ${EXITS[entryOf(code).exit].meaning}`}`,
    `  next         ${next}`,
    '',
  ].join('\n');
}
