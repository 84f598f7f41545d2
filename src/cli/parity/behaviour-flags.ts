import type { Command } from 'commander';
import { DECISIONS, reasonAgainst, valuesOf } from '../../server/options/behaviour.ts';
import { collect, flagValue } from '../command/flags.ts';
import { columnsText } from '../output/text/table.ts';

/** Flags for what the local platform decides where the interface leaves it open (docs/serve-reference.md, "Options"). */
export interface BehaviourFlags {
  /** Each `KEY=VALUE`, or a key that stands alone. */
  readonly behaviour?: readonly string[];
}

const decision = flagValue<string>((text) => {
  const reason = reasonAgainst(text);
  return reason === undefined ? { value: text } : { reason };
});

/** Declares the flags of `BehaviourFlags`. */
export function declareBehaviour(command: Command): Command {
  const keys = Object.values(DECISIONS).map((decision) => [
    decision.key === 'rule'
      ? 'rule=CODE'
      : [decision.key, valuesOf(decision)].filter((part) => part !== '').join('='),
    decision.says,
  ]);
  return command
    .optionsGroup('Answers:')
    .option(
      '--behaviour <key=value>',
      'decide otherwise where the interface leaves the answer open (Behaviour, below); may be given again',
      (text, earlier?: readonly string[]) => collect(decision(text), earlier),
    )
    .addHelpText('after', `\nBehaviour:\n${columnsText(keys, ['left', 'left'])}`.trimEnd());
}

/** Decisions as they are typed. */
export const typedBehaviour = (texts: readonly string[] = []): readonly string[] =>
  texts.map((text) => `--behaviour ${text}`);
