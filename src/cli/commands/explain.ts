import { AppError } from '../../core/app-error.ts';
import type { Retry } from '../../core/contract/retry.ts';
import type { Authority } from '../../core/error-codes/entry.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { entryOf, ERROR_CODES, isErrorCode, retryOf, type ErrorCode } from '../../core/error-codes/table.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import { EXITS, type ExitName } from '../exit-codes.ts';
import { exitDocument, type JsonDocument } from '../render/json-output.ts';
import { suggestion } from '../../core/suggestion.ts';

export interface ExplainOptions {
  /** All codes when left out. */
  readonly code?: string;
}

export const explain: CommandDeclaration<ExplainOptions> = {
  name: 'explain',
  group: 'Help',
  summary: 'Say what a code means and what to do about it',
  examples: ['dataimport explain invalid_choice', 'dataimport explain'],
  settings: [],
  declare: (command) =>
    void command.argument('[code]', 'code of an error or warning; all codes when left out'),
  run,
};

/** Facts that end a sentence in some cases and are nothing in others; in general they are nothing. */
export const NO_ENDINGS = { suggestion: '', hint: '' } as const;

/** One code as `explain --json` shows it. */
interface ExplainedCode {
  readonly code: ErrorCode;
  readonly meaning: string;
  readonly authority: Authority;
  /** Status that the platform answers with; null for what only the client reports. */
  readonly http_status: number | null;
  readonly retry: Retry;
  readonly exit: { readonly code: number; readonly name: string };
  readonly next: string;
}

interface ExplainDocument extends JsonDocument {
  readonly codes: readonly ExplainedCode[];
}

async function run({ code }: ExplainOptions, context: CommandContext): Promise<ExitName> {
  const known = Object.keys(ERROR_CODES) as ErrorCode[];
  if (code !== undefined && !isErrorCode(code)) {
    throw new AppError('code_unknown', { name: code, suggestion: suggestion(code, known) });
  }
  const codes = (code === undefined ? known : [code]).map(explained);
  context.document({ version: 1, exit: exitDocument('OK'), codes } satisfies ExplainDocument);
  if (!context.globals.json) {
    context.io.stdout.write(
      code === undefined ? codes.map(summaryLine).join('') : codes.map(page).join('\n'),
    );
  }
  return 'OK';
}

function explained(code: ErrorCode): ExplainedCode {
  const { authority, status, exit } = entryOf(code);
  return {
    code,
    meaning: sentenceOf(code, NO_ENDINGS),
    authority,
    http_status: status,
    retry: retryOf(code),
    exit: exitDocument(exit),
    next: nextStepOf(code, NO_ENDINGS),
  };
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

function summaryLine({ code, meaning }: ExplainedCode): string {
  return `${code}: ${meaning}\n`;
}

function page({ code, meaning, authority, http_status, retry, exit, next }: ExplainedCode): string {
  return [
    `${code}: ${meaning}`,
    '',
    `  comes from   ${AUTHORITY_TEXT[authority]}`,
    `  HTTP status  ${http_status ?? 'none, the client finds it'}`,
    `  sent again   ${RETRY_TEXT[retry]}`,
    `  exit         ${exit.code} ${exit.name}: ${EXITS[entryOf(code).exit].meaning}`,
    `  next         ${next}`,
    '',
  ].join('\n');
}
