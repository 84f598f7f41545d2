import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, RESOURCES } from '../../core/contract/resources.ts';
import { SENDABLE, SENDABLE_IN_WORDS } from '../../core/sendable-secret.ts';
import { suggestion } from '../../core/suggestion.ts';
import { isTimeZone } from '../../core/values/local-time.ts';
import type { HttpLimits } from './http-limits.ts';
import {
  BEHAVIOUR_CHOICES,
  EXTRA_RULES,
  isOrigin,
  isUrlPath,
  type Behaviour,
  type BehaviourChoices,
} from './behaviour.ts';
import type { FaultOptions, ServerOptions } from './server-options.ts';

// Written by hand, because a zod schema for the same options takes 6 ms of every start.

/** The test that an option passes, and the same in words. */
type Rule = readonly [accepts: (value: unknown) => boolean, accepted: string];
type Rules = { readonly [name: string]: Rule | Rules };
type RulesFor<T> = { readonly [Name in keyof Required<T>]: Rule | Rules };

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isListOf = (accepts: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(accepts);

const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Rule => [
  (value) => isWhole(value, least, most),
  `a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`,
];
const oneOf = (choices: readonly unknown[]): Rule => [
  (value) => choices.includes(value),
  choices.join(' or '),
];

const TEXT: Rule = [isText, 'a text that is not empty'];
const FLAG = oneOf([true, false]);
const FUNCTION: Rule = [(value) => typeof value === 'function', 'a function'];
const COUNT = whole(1);
/** setTimeout overflows above 2^31 - 1 ms and fires at once. */
const WAIT_MS = whole(1, 2 ** 31 - 1);

/** The end of the year 9999. A later year has five digits, which no date format here allows. */
const LATEST_MS = 253_402_300_799_999;

const HTTP = {
  headersTimeoutMs: WAIT_MS,
  requestTimeoutMs: WAIT_MS,
  maxConnections: COUNT,
  maxRequestsPerSocket: COUNT,
  stopGraceMs: WAIT_MS,
  stopTimeoutMs: WAIT_MS,
} satisfies RulesFor<HttpLimits>;

const CHOICES = Object.fromEntries(
  Object.entries(BEHAVIOUR_CHOICES).map(([name, choices]) => [name, oneOf(choices)]),
) as unknown as RulesFor<BehaviourChoices>;

const BEHAVIOUR = {
  ...CHOICES,
  strict: FLAG,
  lenient: FLAG,
  tokenPath: [(value) => typeof value === 'string' && isUrlPath(value), 'a path that begins with /'],
  cors: [
    (value) => typeof value === 'string' && isOrigin(value),
    'the origin of a web page such as http://localhost:5173',
  ],
  requires: [
    isListOf((name) => typeof name === 'string' && isRequirable(name)),
    'a list of fields such as transactions.reason',
  ],
  rules: [
    isListOf((rule) => EXTRA_RULES.some((known) => known === rule)),
    `a list of ${EXTRA_RULES.join(', ')}`,
  ],
} satisfies RulesFor<Behaviour>;

/** Whether a text names a field of the records of a resource. */
function isRequirable(name: string): boolean {
  const [resource, field, ...more] = name.split('.');
  const descriptor = RESOURCES.find((each) => each === resource);
  const shape = descriptor ? DESCRIPTORS[descriptor].schema.shape : {};
  return more.length === 0 && field !== undefined && Object.hasOwn(shape, field);
}

const FAULTS = {
  // Reading a rule checks it, with its own errors.
  rules: [isListOf(isText), 'a list of rules such as notes accept reset'],
  seed: whole(0),
} satisfies RulesFor<FaultOptions>;

/** The options of the person who starts a platform. The program around it sets the others. */
type OwnOptions = Omit<ServerOptions, 'version' | 'crash'>;

const OPTIONS = {
  host: TEXT,
  port: whole(0, 65_535),
  database: TEXT,
  // Reading a seed checks it, with its own errors.
  seeds: [isListOf((seed) => isText(seed) || isPlainObject(seed)), 'a list of paths and objects'],
  contract: TEXT,
  apiKey: [(value) => isText(value) && SENDABLE.test(value as string), SENDABLE_IN_WORDS],
  tokenTtlSeconds: whole(1, 2 ** 31 - 1),
  timeZone: [
    (value) => isText(value) && isTimeZone(value as string),
    'a name of the IANA time zone database such as Europe/London',
  ],
  bodyLimitBytes: COUNT,
  maxItems: COUNT,
  http: HTTP,
  behaviour: BEHAVIOUR,
  allowNetwork: FLAG,
  faults: FAULTS,
  latencyMs: whole(0, 2 ** 31 - 1),
  sleep: FUNCTION,
  nowMs: [
    (value) => typeof value === 'function' && isWhole(value(), 0, LATEST_MS),
    'a function that returns whole milliseconds since 1970',
  ],
  random: [
    (value) => typeof value === 'function' && value() >= 0 && value() < 1,
    'a function that returns numbers from 0 up to 1',
  ],
  randomBytes: FUNCTION,
  onUnexpectedError: FUNCTION,
} satisfies RulesFor<OwnOptions>;

/**
 * The given options without the undefined ones. They are checked because a program without types can pass anything.
 * @throws AppError `setting_invalid`, which names the option and what it accepts
 */
export function checkedOptions<T extends { readonly [Name in keyof OwnOptions]?: unknown }>(given: T): T {
  return checkedEach(given, OPTIONS, 'options') as T;
}

function checkedEach(given: unknown, rules: Rules, path: string): object {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refused(path, 'an object');
  const known = Object.keys(rules);
  const prefix = path === 'options' ? '' : `${path}.`;
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (!Object.hasOwn(rules, name)) throw unknown(prefix + name, name, known);
      return value === undefined ? [] : [[name, checked(value, rules[name]!, prefix + name)]];
    }),
  );
}

function checked(value: unknown, rule: Rule | Rules, path: string): unknown {
  if (!isRule(rule)) return checkedEach(value, rule, path);
  const [accepts, accepted] = rule;
  if (!accepts(value)) throw refused(path, accepted);
  return value;
}

const isRule = (rule: Rule | Rules): rule is Rule => Array.isArray(rule);

function refused(setting: string, accepted: string): AppError {
  return wrong(setting, `it must be ${accepted}`, accepted);
}

function unknown(setting: string, name: string, known: readonly string[]): AppError {
  const accepted = known.join(', ');
  return wrong(setting, `there is no such option${suggestion(name, known) || `, but ${accepted}`}`, accepted);
}

function wrong(setting: string, reason: string, accepted: string): AppError {
  return new AppError('setting_invalid', { setting, source: 'an option of the platform', reason, accepted });
}
