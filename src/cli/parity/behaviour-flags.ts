import { Option, type Command } from 'commander';
import {
  BEHAVIOUR_KEYS,
  behaviourIn,
  reasonAgainst,
  valuesOf,
  type GivenBehaviour,
} from '../../server/options/behaviour.ts';
import { collect, flagValue } from '../command/flags.ts';
import { columnsText } from '../output/text/table.ts';
import { wholeSeconds } from '../settings/parsers.ts';

/** Flags for what the local platform decides where the interface leaves it open (docs/serve-reference.md, "Options"). */
export interface BehaviourFlags {
  /** Each `KEY=VALUE`, or a key that stands alone. */
  readonly behaviour?: readonly string[];
  /** In seconds. */
  readonly tokenTtl: number;
}

/** In seconds. */
const DEFAULT_TOKEN_TTL = 3_600;

const decision = flagValue<string>((text) => {
  const reason = reasonAgainst(text);
  return reason === undefined ? { value: text } : { reason };
});

/** Declares the flags of `BehaviourFlags`. */
export function declareBehaviour(command: Command): Command {
  const keys = Object.entries(BEHAVIOUR_KEYS).map(([name, key]) => [
    name === 'rule' ? 'rule=CODE' : [name, valuesOf(key)].filter((part) => part !== '').join('='),
    key.says,
  ]);
  return command
    .optionsGroup('Answers:')
    .option(
      '--behaviour <key=value>',
      'decide otherwise where the interface leaves the answer open (Behaviour, below); may be given again',
      (text, earlier?: readonly string[]) => collect(decision(text), earlier),
    )
    .addOption(
      new Option('--token-ttl <duration>', 'lifetime of a token')
        .argParser(flagValue(wholeSeconds))
        .default(DEFAULT_TOKEN_TTL, '60m'),
    )
    .addHelpText('after', `\nBehaviour:\n${columnsText(keys, ['left', 'left'])}`.trimEnd());
}

/** What the flags decide, as `startServer` takes it. */
export type PlatformBehaviour = GivenBehaviour & { readonly tokenTtlSeconds: number };

/** The flags as `startServer` takes them. */
export const behaviourOf = ({ behaviour = [], tokenTtl }: BehaviourFlags): PlatformBehaviour => ({
  ...behaviourIn(behaviour),
  tokenTtlSeconds: tokenTtl,
});

/** The flags whose behaviour is not the default, as they would be typed. */
export const changedBehaviour = ({ behaviour = [], tokenTtl }: BehaviourFlags): readonly string[] => [
  ...behaviour.map((each) => `--behaviour ${each}`),
  ...(tokenTtl === DEFAULT_TOKEN_TTL ? [] : [`--token-ttl ${tokenTtl}s`]),
];
