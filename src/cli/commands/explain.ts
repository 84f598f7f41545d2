import { AppError } from '../../core/app-error.ts';
import { ERROR_CODES, isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import { suggestion } from '../../core/suggestion.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command.ts';
import type { OperatorRule } from '../output/explanation.ts';

export interface ExplainOptions {
  /** All codes when left out. */
  readonly code?: string;
}

export const command: CommandDeclaration<ExplainOptions> = {
  examples: ['dataimport explain invalid_choice', 'dataimport explain'],
  settings: ['contract'],
  declare: (command) =>
    void command.argument('[code]', 'code of an error or warning; all codes when left out'),
  run,
};

async function run({ code }: ExplainOptions, context: CommandContext): Promise<CommandEnd> {
  const known = Object.keys(ERROR_CODES) as ErrorCode[];
  const rules = await operatorRules(context);
  if (code === undefined)
    return { exit: 'OK', result: { kind: 'explanation', codes: known, operatorRules: rules, asList: true } };
  const own = rules.filter((rule) => rule.code === code);
  if (!isErrorCode(code) && own.length === 0) {
    const names = [...known, ...rules.map((rule) => rule.code)];
    throw new AppError('code_unknown', { name: code, suggestion: suggestion(code, names) });
  }
  const codes = isErrorCode(code) ? [code] : [];
  return { exit: 'OK', result: { kind: 'explanation', codes, operatorRules: own, asList: false } };
}

/** The rules of the contract, if one is set, whose codes are in no table of this program. */
async function operatorRules(context: CommandContext): Promise<readonly OperatorRule[]> {
  const file = (await context.settings()).get('contract');
  if (file === undefined) return [];
  const { loadContract } = await import('../contract-file.ts');
  const { contract, name } = loadContract(file, context.io.cwd);
  return contract.rules
    .filter(({ code }) => !isErrorCode(code))
    .map(({ code, title, from }) => ({ code, title, from, document: name }));
}
