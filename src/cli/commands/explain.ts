import { AppError } from '../../core/app-error.ts';
import { ERROR_CODES, isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import { suggestion } from '../../core/suggestion.ts';
import type { CommandDeclaration, CommandEnd } from '../command.ts';

export interface ExplainOptions {
  /** All codes when left out. */
  readonly code?: string;
}

export const command: CommandDeclaration<ExplainOptions> = {
  examples: ['dataimport explain invalid_choice', 'dataimport explain'],
  settings: [],
  declare: (command) =>
    void command.argument('[code]', 'code of an error or warning; all codes when left out'),
  run,
};

async function run({ code }: ExplainOptions): Promise<CommandEnd> {
  const known = Object.keys(ERROR_CODES) as ErrorCode[];
  if (code !== undefined && !isErrorCode(code)) {
    throw new AppError('code_unknown', { name: code, suggestion: suggestion(code, known) });
  }
  const asList = code === undefined;
  return { exit: 'OK', result: { kind: 'explanation', codes: asList ? known : [code], asList } };
}
