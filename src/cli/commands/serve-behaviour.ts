import { Option, type Command } from 'commander';
import {
  BEHAVIOUR_DEFAULTS,
  ERROR_SHAPES,
  EXTRA_RULES,
  STATEMENTS_STATUSES,
  TX_400,
  type Behaviour,
  type ErrorShape,
  type ExtraRule,
  type StatementsStatus,
  type Tx400,
} from '../../server/options/behaviour.ts';
import { flagValue } from '../flags.ts';
import { count } from '../settings/parsers.ts';

/** Flags for what the local platform decides where the interface leaves it open (docs/serve.md, "Options"). */
export interface BehaviourFlags {
  readonly errorShape: ErrorShape;
  readonly tx400: Tx400;
  readonly strict: boolean;
  readonly lenient: boolean;
  readonly statementsStatus: StatementsStatus;
  readonly rule?: readonly ExtraRule[];
  /** In bytes. */
  readonly bodyLimit?: number;
  readonly maxItems?: number;
}

/** JavaScript has no text that is much longer. */
const MAX_BODY_BYTES = 500_000_000;
const MAX_ITEMS = 1_000_000;

/** Declares the flags of `BehaviourFlags`. */
export function declareBehaviour(command: Command): Command {
  return command
    .addOption(
      new Option('--error-shape <shape>', 'shape of 400 answers')
        .choices(ERROR_SHAPES)
        .default(BEHAVIOUR_DEFAULTS.errorShape),
    )
    .addOption(
      new Option('--tx-400 <what>', 'whether a 400 keeps the transactions before the failing one')
        .choices(TX_400)
        .default(BEHAVIOUR_DEFAULTS.tx400),
    )
    .addOption(
      new Option('--statements-status <status>', 'status of the answer to stored statements, 200 or 201')
        .argParser((text) => statementsStatus(text))
        .default(BEHAVIOUR_DEFAULTS.statementsStatus),
    )
    .option('--strict', 'refuse values of open enums that the interface does not show', false)
    .option('--lenient', 'accept unlisted fields and report them', false)
    .addOption(
      new Option('--rule <code...>', 'turn on a rule that some deployments have, by its code').choices(
        EXTRA_RULES,
      ),
    )
    .option(
      '--body-limit <bytes>',
      'largest request body, 5 MiB by default',
      flagValue(count({ max: MAX_BODY_BYTES })),
    )
    .option(
      '--max-items <n>',
      'most records in one request, 10000 by default',
      flagValue(count({ max: MAX_ITEMS })),
    );
}

const statementsStatus = flagValue<StatementsStatus>((text) => {
  const value = STATEMENTS_STATUSES.find((status) => String(status) === text);
  return value === undefined ? { reason: `it must be ${STATEMENTS_STATUSES.join(' or ')}` } : { value };
});

/** The flags as `startServer` takes them. */
export function behaviourOf({ rule: rules = [], bodyLimit, maxItems, ...flags }: BehaviourFlags): {
  readonly behaviour: Behaviour;
  readonly bodyLimitBytes?: number;
  readonly maxItems?: number;
} {
  const { errorShape, tx400, strict, lenient, statementsStatus: status } = flags;
  return {
    behaviour: { errorShape, tx400, strict, lenient, statementsStatus: status, rules },
    ...(bodyLimit !== undefined && { bodyLimitBytes: bodyLimit }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

/** The flags whose behaviour is not the default, as they would be typed. */
export function changedBehaviour(flags: BehaviourFlags): readonly string[] {
  const { behaviour } = behaviourOf(flags);
  const isChanged = (name: keyof Behaviour) => behaviour[name] !== BEHAVIOUR_DEFAULTS[name];
  return [
    ...(isChanged('errorShape') ? [`--error-shape ${behaviour.errorShape}`] : []),
    ...(isChanged('tx400') ? [`--tx-400 ${behaviour.tx400}`] : []),
    ...(isChanged('statementsStatus') ? [`--statements-status ${behaviour.statementsStatus}`] : []),
    ...(behaviour.strict ? ['--strict'] : []),
    ...(behaviour.lenient ? ['--lenient'] : []),
    ...behaviour.rules.map((code) => `--rule ${code}`),
  ];
}
