import { AppError } from '../../core/app-error.ts';
import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { ERROR_CODES, isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import { suggestion } from '../../core/suggestion.ts';
import type { CommandDeclaration, CommandEnd } from '../command.ts';

export interface ExplainOptions {
  /** All codes when left out. */
  readonly code?: string;
  /** Words that the code, its sentence or its next step has. */
  readonly search?: string;
}

export const command: CommandDeclaration<ExplainOptions> = {
  examples: [
    'dataimport explain invalid_choice',
    "dataimport explain --search 'leading zeros'",
    'dataimport explain',
  ],
  settings: [],
  declare: (command) =>
    void command
      .argument('[code]', 'code of an error or warning; all codes by area when left out')
      .option(
        '--search <text>',
        'list the codes that have all these words in their name, meaning or next step',
      ),
  run,
};

async function run({ code, search }: ExplainOptions): Promise<CommandEnd> {
  const known = Object.keys(ERROR_CODES) as ErrorCode[];
  if (code !== undefined && search !== undefined)
    throw new AppError('usage', { reason: 'give a code or --search, not both', command: 'explain' });
  if (search !== undefined) return listed(codesWith(search, known));
  if (code === undefined) return listed(known);
  if (!isErrorCode(code))
    throw new AppError('code_unknown', { name: code, suggestion: suggestion(code, known) });
  return { exit: 'OK', result: { kind: 'explanation', codes: [code], asList: false } };
}

function listed(codes: readonly ErrorCode[]): CommandEnd {
  return { exit: 'OK', result: { kind: 'explanation', codes, asList: true } };
}

/** @throws AppError `code_search_empty` */
function codesWith(search: string, known: readonly ErrorCode[]): readonly ErrorCode[] {
  const words = search
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((word) => word !== '');
  const found = known.filter((code) => {
    const text = `${code.replaceAll('_', ' ')} ${sentenceOf(code)} ${nextStepOf(code)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (words.length === 0 || found.length === 0) throw new AppError('code_search_empty', { search });
  return found;
}
