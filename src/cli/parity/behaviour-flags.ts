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
}

/** JavaScript has no text that is much longer. */
const MAX_BODY_BYTES = 500_000_000;
const MAX_ITEMS = 1_000_000;

/** The flags whose values are a few: name, value and description. */
const CHOICE_FLAGS: readonly (readonly [keyof BehaviourChoices, string, string, string])[] = [
  ['errorShape', '--error-shape', '<shape>', 'shape of 400 answers'],
  ['tx400', '--tx-400', '<what>', 'whether a 400 keeps the transactions before the failing one'],
  [
    'statementsStatus',
    '--statements-status',
    '<status>',
    'status of the answer to stored statements, 200 or 201',
  ],
  [
    'unknownSupplierStatus',
    '--unknown-supplier-status',
    '<status>',
    'status of the answer to notes of an unknown supplier, 404 or 400',
  ],
  [
    'pausedStatus',
    '--paused-status',
    '<status>',
    'status of the answer while a supplier is Paused or Complete, 400 or 403',
  ],
  [
    'emptyListStatus',
    '--empty-list-status',
    '<status>',
    'status of the answer to a list of accounts without any, 200 or 404',
  ],
];

/** In seconds. */
const DEFAULT_TOKEN_TTL = 3_600;
const TOKEN_PATH_FLAG = '--token-path';

/** The flags of what decides by a value. */
export const FLAG_OF = Object.fromEntries([
  ...CHOICE_FLAGS.map(([name, flag]) => [name, flag]),
  ['tokenPath', TOKEN_PATH_FLAG],
  ['bodyLimit', '--body-limit'],
  ['maxItems', '--max-items'],
  ['tokenTtl', '--token-ttl'],
]) as Readonly<Record<keyof BehaviourChoices | 'tokenPath' | 'bodyLimit' | 'maxItems' | 'tokenTtl', string>>;

/** Declares the flags of `BehaviourFlags`. */
export function declareBehaviour(command: Command): Command {
  command.optionsGroup('Answers:');
  for (const [name, flag, value, description] of CHOICE_FLAGS) {
    const option = new Option(`${flag} ${value}`, description).default(BEHAVIOUR_DEFAULTS[name]);
    const choices: readonly (string | number)[] = BEHAVIOUR_CHOICES[name];
    command.addOption(
      value === '<status>' ? option.argParser(statusAmong(choices)) : option.choices(choices.map(String)),
    );
  }
  return command
    .addOption(
      new Option(`${TOKEN_PATH_FLAG} <path>`, 'path of the token mutation')
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
    );
}

/** Declares how long tokens live. */
export function declareTokenTtl(command: Command): Command {
  return command.addOption(
    new Option('--token-ttl <duration>', 'lifetime of a token')
      .argParser(flagValue(wholeSeconds))
      .default(DEFAULT_TOKEN_TTL, '60m'),
  );
}

function statusAmong(statuses: readonly unknown[]): (text: string) => unknown {
  return flagValue((text) => {
    const value = statuses.find((status) => String(status) === text);
    return value === undefined ? { reason: `it must be ${statuses.join(' or ')}` } : { value };
  });
}

/** The flags as `startServer` takes them. */
export function behaviourOf({
  rule: rules = [],
  require: requires = [],
  bodyLimit,
  maxItems,
  ...flags
}: BehaviourFlags): {
  behaviour: Behaviour;
  bodyLimitBytes?: number;
  maxItems?: number;
} {
  const { strict, lenient, tokenPath } = flags;
  const choices = Object.fromEntries(CHOICE_FLAGS.map(([name]) => [name, flags[name]])) as BehaviourChoices;
  return {
    behaviour: { ...choices, strict, lenient, tokenPath, requires, rules },
    ...(bodyLimit !== undefined && { bodyLimitBytes: bodyLimit }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

/** The flags whose behaviour is not the default, as they would be typed. */
export function changedBehaviour(flags: BehaviourFlags & { readonly tokenTtl: number }): readonly string[] {
  const { behaviour, bodyLimitBytes, maxItems } = behaviourOf(flags);
  const names = [...CHOICE_FLAGS.map(([name]) => name), 'tokenPath' as const];
  return [
    ...names.flatMap((name) =>
      behaviour[name] === BEHAVIOUR_DEFAULTS[name] ? [] : [`${FLAG_OF[name]} ${behaviour[name]}`],
    ),
    ...behaviour.requires.map((field) => `--require ${field}`),
    ...(behaviour.strict ? ['--strict'] : []),
    ...(behaviour.lenient ? ['--lenient'] : []),
    ...behaviour.rules.map((code) => `--rule ${code}`),
    ...(bodyLimitBytes === undefined ? [] : [`--body-limit ${bodyLimitBytes}`]),
    ...(maxItems === undefined ? [] : [`--max-items ${maxItems}`]),
    ...(flags.tokenTtl === DEFAULT_TOKEN_TTL ? [] : [`--token-ttl ${flags.tokenTtl}s`]),
  ];
}
