import { Option, type Command } from 'commander';
import {
  BEHAVIOUR_DEFAULTS,
  EMPTY_LIST_STATUSES,
  ERROR_SHAPES,
  EXTRA_RULES,
  PAUSED_STATUSES,
  STATEMENTS_STATUSES,
  TX_400,
  UNKNOWN_SUPPLIER_STATUSES,
  type Behaviour,
  type ExtraRule,
} from '../../server/options/behaviour.ts';
import { collect, flagValue } from '../command/flags.ts';
import { count, urlPath } from '../settings/parsers.ts';

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

/** Declares the flags of `BehaviourFlags`. */
export function declareBehaviour(command: Command): Command {
  return command
    .optionsGroup('Answers:')
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
        .argParser(statusAmong(STATEMENTS_STATUSES))
        .default(BEHAVIOUR_DEFAULTS.statementsStatus),
    )
    .addOption(
      new Option(
        '--unknown-supplier-status <status>',
        'status of the answer to notes of an unknown supplier, 404 or 400',
      )
        .argParser(statusAmong(UNKNOWN_SUPPLIER_STATUSES))
        .default(BEHAVIOUR_DEFAULTS.unknownSupplierStatus),
    )
    .addOption(
      new Option(
        '--paused-status <status>',
        'status of the answer while a supplier is Paused or Complete, 400 or 403',
      )
        .argParser(statusAmong(PAUSED_STATUSES))
        .default(BEHAVIOUR_DEFAULTS.pausedStatus),
    )
    .addOption(
      new Option(
        '--empty-list-status <status>',
        'status of the answer to a list of accounts without any, 200 or 404',
      )
        .argParser(statusAmong(EMPTY_LIST_STATUSES))
        .default(BEHAVIOUR_DEFAULTS.emptyListStatus),
    )
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
    );
}

function statusAmong<const Status extends number>(statuses: readonly Status[]): (text: string) => Status {
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
  readonly behaviour: Behaviour;
  readonly bodyLimitBytes?: number;
  readonly maxItems?: number;
} {
  const { errorShape, tx400, strict, lenient, statementsStatus, unknownSupplierStatus } = flags;
  const { pausedStatus, emptyListStatus, tokenPath } = flags;
  return {
    behaviour: {
      errorShape,
      tx400,
      strict,
      lenient,
      statementsStatus,
      unknownSupplierStatus,
      pausedStatus,
      emptyListStatus,
      tokenPath,
      requires,
      rules,
    },
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
    ...(isChanged('unknownSupplierStatus')
      ? [`--unknown-supplier-status ${behaviour.unknownSupplierStatus}`]
      : []),
    ...(isChanged('pausedStatus') ? [`--paused-status ${behaviour.pausedStatus}`] : []),
    ...(isChanged('emptyListStatus') ? [`--empty-list-status ${behaviour.emptyListStatus}`] : []),
    ...(isChanged('tokenPath') ? [`--token-path ${behaviour.tokenPath}`] : []),
    ...behaviour.requires.map((field) => `--require ${field}`),
    ...(behaviour.strict ? ['--strict'] : []),
    ...(behaviour.lenient ? ['--lenient'] : []),
    ...behaviour.rules.map((code) => `--rule ${code}`),
  ];
}
