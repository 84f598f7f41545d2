import { AppError } from '../../core/app-error.ts';
import { codesNamedIn, REMOVED_CODES } from '../../core/error-codes/removed.ts';
import { ERROR_CODES, isErrorCode, type ErrorCode } from '../../core/error-codes/table.ts';
import { suggestion } from '../../core/suggestion.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { EXITS } from '../output/exit-codes.ts';
import { shownExplanation, type ExplanationResult, type OperatorRule } from '../output/explanation.ts';

export interface ExplainOptions {
  /** All codes when left out. */
  readonly code?: string;
}

export const command: CommandDeclaration<ExplainOptions> = {
  examples: ['dataimport explain invalid_choice', 'dataimport explain'],
  settings: ['contract'],
  declare: (command) =>
    void command.argument('[code]', 'code of an error or warning; all codes by area when left out'),
  run,
};

async function run({ code }: ExplainOptions, context: CommandContext): Promise<CommandEnd> {
  const known = Object.keys(ERROR_CODES) as ErrorCode[];
  const { rules, enforced } = await operatorRules(context);
  if (code === undefined)
    return {
      exit: 'OK',
      result: shownExplanation({ codes: known, operatorRules: rules, enforced, asList: true }),
    };
  const own = rules.filter((rule) => rule.code === code);
  if (Object.hasOwn(REMOVED_CODES, code)) {
    const removed = { code, now: REMOVED_CODES[code]! };
    const explained = { codes: codesNamedIn(removed.now), operatorRules: own, enforced };
    return { exit: 'OK', result: shownExplanation({ ...explained, removed, asList: false }) };
  }
  if (!isErrorCode(code) && own.length === 0) {
    const exit = Object.values(EXITS).find((each) => each.name === code || String(each.code) === code);
    const names = [...known, ...rules.map((rule) => rule.code)];
    throw new AppError('unknown_name', {
      reason: `no code \`${code}\` is known${
        exit ? `; ${exit.code} ${exit.name} is an exit code: ${exit.meaning}` : suggestion(code, names)
      }`,
      todo: 'Type `dataimport explain` for the list.',
    });
  }
  const codes = isErrorCode(code) ? [code] : [];
  return { exit: 'OK', result: shownExplanation({ codes, operatorRules: own, enforced, asList: false }) };
}

/** The rules of the contract, if one is set: those whose codes are in no table of this program, and where each is enforced. */
async function operatorRules(context: CommandContext): Promise<{
  rules: readonly OperatorRule[];
  enforced: ExplanationResult['enforced'];
}> {
  const file = (await context.settings()).get('contract');
  if (file === undefined) return { rules: [], enforced: new Map() };
  const { loadContract } = await import('../sources/contract-file.ts');
  const { enforcementOf, enforcementPhrase } = await import('../../core/operator/enforcement.ts');
  const { contract, name } = loadContract(file, context.io.cwd);
  return {
    rules: contract.rules
      .filter(({ code }) => !isErrorCode(code))
      .map(({ code, title, from }) => ({ code, title, from, document: name })),
    enforced: new Map(
      contract.rules.map((rule) => {
        const says = `${name}: ${enforcementPhrase(rule)}`;
        return [rule.code, { says, isChecked: enforcementOf(rule) === 'check_and_serve' }];
      }),
    ),
  };
}
