import { Option, type Command } from 'commander';
import {
  BEHAVIOUR_CHOICES,
  BEHAVIOUR_DEFAULTS,
  EXTRA_RULES,
  type Behaviour,
  type BehaviourChoices,
  type ExtraRule,
} from '../../server/options/behaviour.ts';
import { collect, flagValue } from '../command/flags.ts';
import { count, urlPath, wholeSeconds } from '../settings/parsers.ts';

/** Flags for what the local platform decides where the interface leaves it open (docs/serve-reference.md, "Options"). */
export interface BehaviourFlags extends Omit<Behaviour, 'rules' | 'requires'> {
  readonly require?: readonly string[];
  readonly rule?: readonly ExtraRule[];
  /** In bytes. */
  readonly bodyLimit?: number;
  readonly maxItems?: number;
  /** In seconds. */
  readonly tokenTtl: number;
}

/** JavaScript has no text that is much longer. */
const MAX_BODY_BYTES = 500_000_000;
const MAX_ITEMS = 1_000_000;

/** The flags whose values are a few: name and description. */
const CHOICE_FLAGS: Readonly<Record<keyof BehaviourChoices, readonly [flag: string, description: string]>> = {
  errorShape: ['--error-shape', 'shape of 400 answers'],
  tx400: ['--tx-400', 'whether a 400 keeps the transactions before the failing one'],
  statementsStatus: ['--statements-status', 'status of the answer to stored statements'],
  unknownSupplierStatus: [
    '--unknown-supplier-status',
    'status of the answer to notes of an unknown supplier',
  ],
  pausedStatus: ['--paused-status', 'status of the answer while a supplier is Paused or Complete'],
  emptyListStatus: ['--empty-list-status', 'status of the answer to a list of accounts without any'],
};
const CHOICES = Object.keys(CHOICE_FLAGS) as readonly (keyof BehaviourChoices)[];

/** In seconds. */
const DEFAULT_TOKEN_TTL = 3_600;

const FLAGS = {
  tokenPath: '--token-path',
  require: '--require',
  strict: '--strict',
  lenient: '--lenient',
  rule: '--rule',
  bodyLimit: '--body-limit',
  maxItems: '--max-items',
  tokenTtl: '--token-ttl',
} as const;

/** Every flag that changes answers, by the name of its option. */
export const FLAG_OF = {
  ...Object.fromEntries(CHOICES.map((name) => [name, CHOICE_FLAGS[name][0]])),
  ...FLAGS,
} as Readonly<Record<keyof BehaviourChoices | keyof typeof FLAGS, string>>;

/** Declares the flags of `BehaviourFlags`. */
export function declareBehaviour(command: Command): Command {
  command.optionsGroup('Answers:');
  for (const name of CHOICES) {
    const [flag, description] = CHOICE_FLAGS[name];
    const choices: readonly (string | number)[] = BEHAVIOUR_CHOICES[name];
    command.addOption(
      new Option(`${flag} <value>`, `${description}: ${choices.join(' or ')}`)
        .argParser(among(choices))
        .default(BEHAVIOUR_DEFAULTS[name]),
    );
  }
  return command
    .addOption(
      new Option('--token-path <path>', 'path of the token mutation')
        .argParser(flagValue(urlPath))
        .default(BEHAVIOUR_DEFAULTS.tokenPath),
    )
    .option(
      '--require <field>',
      'require a field that the interface leaves open, such as transactions.reason; may be given again',
      collect,
      [],
    )
    .option(
      '--strict',
      'refuse what the interface does not show: values of open enums, amounts as text, offsets other than Z',
      false,
    )
    .option('--lenient', 'accept unlisted fields and report them', false)
    .addOption(
      new Option('--rule <code...>', 'turn on a rule that some deployments have, by its code').choices(
        EXTRA_RULES,
      ),
    )
    .option(
      '--body-limit <bytes>',
      'largest request body (default: 5 MiB)',
      flagValue(count({ max: MAX_BODY_BYTES })),
    )
    .option(
      '--max-items <n>',
      'most records in one request (default: 10000)',
      flagValue(count({ max: MAX_ITEMS })),
    )
    .addOption(
      new Option('--token-ttl <duration>', 'lifetime of a token')
        .argParser(flagValue(wholeSeconds))
        .default(DEFAULT_TOKEN_TTL, '60m'),
    );
}

function among(values: readonly unknown[]): (text: string) => unknown {
  return flagValue((text) => {
    const value = values.find((each) => String(each) === text);
    return value === undefined ? { reason: `it must be ${values.join(' or ')}` } : { value };
  });
}

/** What the flags decide, as `startServer` takes it. */
export interface PlatformBehaviour {
  readonly behaviour: Behaviour;
  readonly tokenTtlSeconds: number;
  readonly bodyLimitBytes?: number;
  readonly maxItems?: number;
}

/** The flags as `startServer` takes them. */
export function behaviourOf({
  rule: rules = [],
  require: requires = [],
  bodyLimit,
  maxItems,
  tokenTtl: tokenTtlSeconds,
  ...flags
}: BehaviourFlags): PlatformBehaviour {
  const { strict, lenient, tokenPath } = flags;
  const choices = Object.fromEntries(
    CHOICES.map((name) => [name, flags[name]]),
  ) as unknown as BehaviourChoices;
  return {
    behaviour: { ...choices, strict, lenient, tokenPath, requires, rules },
    tokenTtlSeconds,
    ...(bodyLimit !== undefined && { bodyLimitBytes: bodyLimit }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

/** The flags whose behaviour is not the default, as they would be typed. */
export function changedBehaviour(flags: BehaviourFlags): readonly string[] {
  const defaults: Readonly<Record<string, unknown>> = { ...BEHAVIOUR_DEFAULTS, tokenTtl: DEFAULT_TOKEN_TTL };
  return Object.entries(FLAG_OF).flatMap(([name, flag]) => {
    const value = flags[name as keyof typeof flags];
    if (value === undefined || value === defaults[name]) return [];
    if (value === true) return [flag];
    return [value].flat().map((each) => `${flag} ${each}${name === 'tokenTtl' ? 's' : ''}`);
  });
}
