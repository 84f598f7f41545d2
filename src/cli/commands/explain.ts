import { AppError } from '../../core/app-error.ts';
import type { Retry } from '../../core/contract/retry.ts';
import type { Authority } from '../../core/error-codes/entry.ts';
import { FIELD_CODES, RULE_CODES } from '../../core/error-codes/platform-codes.ts';
import { codesNamedIn, REMOVED_CODES } from '../../core/error-codes/removed.ts';
import { adviceForClients, nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import {
  areaOf,
  entryOf,
  ERROR_CODES,
  isWarning,
  retryOf,
  type ErrorCode,
} from '../../core/error-codes/table.ts';
import { isCheckable } from '../../core/operator/rules-by-code.ts';
import { suggestion } from '../../core/suggestion.ts';
import type { CommandDeclaration, CommandEnd } from '../command/command.ts';
import { EXITS, type ExitName } from '../output/exit-codes.ts';
import { exitDocument, type Part } from '../output/result.ts';

/** All codes when the code is left out. */
export type ExplainOptions = { readonly code?: string };

export const command: CommandDeclaration<ExplainOptions> = {
  examples: ['dataimport explain invalid_choice', 'dataimport explain'],
  settings: [],
  declare: (command) =>
    void command.argument('[code]', 'code of an error or warning; all codes by area when left out'),
  run,
};

async function run({ code }: ExplainOptions): Promise<CommandEnd> {
  const all = (Object.keys(ERROR_CODES) as ErrorCode[]).map(explained);
  const now = code !== undefined && Object.hasOwn(REMOVED_CODES, code) ? REMOVED_CODES[code] : undefined;
  const asked: readonly (string | undefined)[] = now === undefined ? [code] : codesNamedIn(now);
  const codes = code === undefined ? all : all.filter((each) => asked.includes(each.code));
  if (codes.length === 0 && now === undefined) {
    const names = all.map((each) => each.code);
    throw new AppError('usage', {
      reason: `no code \`${code!}\` is known${suggestion(code!, names)}`,
      todo: 'Type `dataimport explain` for the list, or `dataimport contract show` for the rules of an operator.',
    });
  }
  return {
    exit: 'OK',
    result: {
      fields: { ...(now !== undefined && { removed: { code, now } }), codes },
      text: () => [
        ...(now === undefined ? [] : [`${code} is no code any more: ${now}`, '']),
        ...(code === undefined
          ? byArea(codes)
          : codes.flatMap((each, index) => [...(index > 0 ? [''] : []), ...page(each)])),
      ],
    },
  };
}

/** Endings that a sentence has in some cases only. An explanation is general and leaves them out. */
export const NO_ENDINGS = { suggestion: '', hint: '' } as const;

type ExplainedCode = ReturnType<typeof explained>;

/** One code as `explain --json` shows it. `exit` is null for a warning, and `also` where only one end reports the code. */
function explained(code: ErrorCode) {
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
    // For the author of another client; null where `next` is for everybody.
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

const OTHER_END: Readonly<Record<string, string>> = {
  INPUT_INVALID: 'a check of the file finds it',
  REFUSED: 'the platform refuses the record',
};

function page(code: ExplainedCode): readonly Part[] {
  const { authority, http_status: status, retry, exit, also, next } = code;
  const meaning = exit && EXITS[exit.name as ExitName].meaning;
  const facts = Object.entries({
    'comes from': AUTHORITY_TEXT[authority],
    'HTTP status': String(status ?? 'none, the client finds it'),
    'sent again': RETRY_TEXT[retry],
    exit: exit
      ? `${exit.code} ${exit.name}: ${meaning}`
      : 'none: a warning does not change how the command ends',
    or: also && `${also.code} ${also.name}, when ${OTHER_END[also.name]}`,
    next,
    'your client': code.next_in_client,
  });
  const given = facts.flatMap(([label, text]) => (text ? [[`  ${label}`, text] as const] : []));
  return [`${code.code}: ${code.meaning}`, '', { facts: given }];
}
