import { AppError } from '../../core/app-error.ts';
import { KIND_OF_PATH } from '../../core/contract/endpoints.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { DEFAULT_TOKEN_MUTATION } from '../../core/contract/token.ts';
import { nearestName } from '../../core/suggestion.ts';
import { plainJson } from '../../core/values/plain-json.ts';

/** Rules in the order in which they are asked. The first that fires takes the request. */
export interface FaultPlan {
  /** Seed of the chance. */
  readonly seed: number;
  readonly rules: readonly FaultRule[];
}

export const NO_FAULTS: FaultPlan = { seed: 0, rules: [] };

/** A rule as `--fault` has it in words (docs/serve-reference.md, "Faults"). */
export interface FaultRule extends RuleWords {
  readonly on: FaultTarget;
  readonly stage: Stage;
  readonly effect: Effect;
  /** The rule as it was given, with single blanks. */
  readonly text: string;
}

/** The requests of a rule: those to one endpoint of the interface, to the four POSTs (`records`), or all. */
export const FAULT_TARGETS = ['any', 'records', ...RESOURCES, 'token', 'status', 'lists'] as const;
type FaultTarget = (typeof FAULT_TARGETS)[number];
export type FaultEndpoint = Exclude<FaultTarget, 'any' | 'records'>;

/** The admin API has no faults, because it shows and ends them. */
export const ENDPOINT_OF_PATH: ReadonlyMap<string, FaultEndpoint> = new Map([
  [DEFAULT_TOKEN_MUTATION.path, 'token'],
  ...KIND_OF_PATH,
]);

/** Whether the endpoint takes records of a resource. */
export function isResource(endpoint: FaultEndpoint): endpoint is Resource {
  return (RESOURCES as readonly string[]).includes(endpoint);
}

/**
 * How far a request is: it has arrived and nothing is judged; it is judged and nothing is stored; it is stored and no byte
 * of the answer has left.
 */
export const FAULT_PHASES = ['accept', 'before-commit', 'after-commit'] as const;
type FaultPhase = (typeof FAULT_PHASES)[number];

/**
 * When a rule is asked. `head` is the phase `accept` before the body is read. A rule that needs the body to decide, or that
 * handles the request later or twice, is asked when the body is there.
 */
export type Stage = 'head' | FaultPhase;

/** A word of a rule. `read` returns undefined for a wrong value, and `says` what a value has to be. */
interface Word<T> {
  readonly says: string;
  readonly read: (value: string | undefined) => T | undefined;
}

const number = (says: string, accepts: (value: number) => boolean): Word<number> => ({
  says,
  read: (text = '') => {
    const value = /^\d+(\.\d+)?$/.test(text) ? plainJson(text) : undefined;
    return typeof value === 'number' && accepts(value) ? value : undefined;
  },
});
const whole = (least: number, most: number, says: string): Word<number> =>
  number(says, (value) => Number.isSafeInteger(value) && value >= least && value <= most);
const atLeast = (least: number): Word<number> =>
  whole(least, Number.MAX_SAFE_INTEGER, `must be a whole number of at least ${least}`);

/** setTimeout overflows above 2^31 - 1 ms and fires at once. */
const LONGEST_WAIT_MS = 2_147_483_647;
const WAIT = whole(1, LONGEST_WAIT_MS, `must be milliseconds, from 1 to ${LONGEST_WAIT_MS}`);
const TEXT: Word<string> = { says: 'must be text', read: (value) => value };
const FLAG: Word<true> = {
  says: 'is there or not; it takes no value',
  read: (value) => (value === undefined ? true : undefined),
};

/** The words of a rule after `on` and `when`. */
const WORDS = {
  account: TEXT,
  attempt: atLeast(1),
  nth: atLeast(1),
  every: atLeast(1),
  times: atLeast(1),
  p: number('must be a probability above 0, at most 1', (value) => value > 0 && value <= 1),

  status: whole(200, 599, 'must be a status from 200 to 599'),
  html: FLAG,
  empty: FLAG,
  body: TEXT,
  'retry-after': atLeast(0),
  /** So many seconds after `Date`. */
  'retry-after-date': atLeast(0),
  location: TEXT,

  reset: FLAG,
  /** For `reset`: after so many bytes of the request, or of the answer. */
  bytes: atLeast(0),
  stall: FLAG,
  delay: WAIT,
  late: WAIT,
  twice: FLAG,
  truncate: atLeast(0),
  /** For `truncate`: announces no length, so that the cut looks like the end. */
  close: FLAG,
  missing: FLAG,
  doubled: FLAG,
  reordered: FLAG,
  extra: FLAG,
  failing: FLAG,
  swapped: FLAG,
  'expire-tokens': FLAG,
  prefix: atLeast(1),
  crash: FLAG,
} satisfies Readonly<Record<string, Word<unknown>>>;
type RuleWord = keyof typeof WORDS;
type RuleWords = { readonly [Name in RuleWord]?: NonNullable<ReturnType<(typeof WORDS)[Name]['read']>> };
export const RULE_WORDS = Object.keys(WORDS) as readonly RuleWord[];

interface EffectLimits {
  /** Words that describe the effect. Default: none. */
  readonly words?: readonly RuleWord[];
  /** Default: every phase. */
  readonly when?: readonly FaultPhase[];
  /** Default: every request. */
  readonly on?: readonly FaultTarget[];
  /** How many results the answer has to have. Default: 0. */
  readonly results?: number;
}

const ANSWER: EffectLimits = {
  words: ['status', 'html', 'empty', 'body', 'retry-after', 'retry-after-date', 'location'],
};
const WITH_STATUSES = RESOURCES.filter((resource) => DESCRIPTORS[resource].answer.statuses !== null);
const RESULT: EffectLimits = { when: ['after-commit'], results: 1 };

/** Every word that is an effect by itself. A rule without any of them answers with its `status`, `html` or `empty`. */
const EFFECTS = {
  reset: { words: ['bytes'] },
  stall: {},
  crash: {},
  delay: {},
  late: { when: ['accept'] },
  twice: { when: ['accept'] },
  truncate: { words: ['close'], when: ['after-commit'] },
  missing: RESULT,
  doubled: RESULT,
  reordered: { ...RESULT, results: 2 },
  extra: RESULT,
  failing: { when: ['before-commit', 'after-commit'], on: ['any', 'records', ...WITH_STATUSES], results: 1 },
  swapped: { when: ['after-commit'] },
  'expire-tokens': { when: ['accept'] },
  prefix: { ...ANSWER, when: ['before-commit'], on: ['any', 'records', ...RESOURCES] },
} as const satisfies Partial<Record<RuleWord, EffectLimits>>;
const EFFECT_WORDS = Object.keys(EFFECTS) as readonly (keyof typeof EFFECTS)[];
export type Effect = keyof typeof EFFECTS | 'answer';

/** Effects on a request that has arrived as a whole. */
const WHOLE: ReadonlySet<Effect> = new Set(['delay', 'late', 'twice']);

export function limitsOf(effect: Effect): EffectLimits {
  return effect === 'answer' ? ANSWER : EFFECTS[effect];
}

/** The rules of texts as `--fault` takes them. @throws AppError `seed_invalid` with all problems */
export function rulesOf(texts: readonly string[], canCrash: boolean): readonly FaultRule[] {
  const read = texts.map((text) => readRule(text, canCrash));
  const problems = read.flatMap((rule, index) => (typeof rule === 'string' ? [{ index, reason: rule }] : []));
  const [first, ...others] = problems;
  if (first === undefined) return read as readonly FaultRule[];
  // A person who typed a single wrong rule has not counted, so the text names it.
  const isOne = others.length === 0;
  const reasons = problems.map((each) => `rule ${each.index + 1}: ${each.reason}`);
  throw new AppError('seed_invalid', {
    what: isOne ? `the fault \`${texts[first.index]}\` is wrong` : 'the faults are wrong',
    reason: isOne ? first.reason : reasons.join('; '),
    todo: 'A fault says which requests, when and what happens, then how often: `transactions after-commit reset nth=3` (docs/serve-reference.md, "Faults").',
  });
}

/** A word is text between blanks. Quotes keep blanks together. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** Reads a rule such as `transactions after-commit reset nth=3`. Returns why it is wrong as a text. */
function readRule(ruleText: string, canCrash: boolean): FaultRule | string {
  const parts: readonly string[] = ruleText.match(WORD) ?? [];
  const [on, when, ...others] = parts.map(unquoted);
  const problems = [...notOneOf('on', on, FAULT_TARGETS), ...notOneOf('when', when, FAULT_PHASES)];
  const words: Record<string, unknown> = {};
  for (const part of others) {
    const [word = '', ...rest] = part.split('=');
    if (!isWord(word)) problems.push(unknownWord(word));
    else if (Object.hasOwn(words, word)) problems.push(`\`${word}\` is given twice`);
    else {
      words[word] = WORDS[word].read(rest.length === 0 ? undefined : rest.join('='));
      if (words[word] === undefined) problems.push(`\`${word}\` ${WORDS[word].says}`);
    }
  }
  if (problems.length > 0) return problems.join('; ');
  const rule = ruleFrom(words, on as FaultTarget, when as FaultPhase, parts.join(' '));
  return conflictIn(rule, when as FaultPhase, canCrash) ?? rule;
}

function ruleFrom(words: RuleWords, on: FaultTarget, when: FaultPhase, text: string): FaultRule {
  const effect = EFFECT_WORDS.find((word) => words[word] !== undefined) ?? 'answer';
  const isAtHead = when === 'accept' && !needsBody(words) && !WHOLE.has(effect);
  return { ...words, on, effect, stage: isAtHead ? 'head' : when, text };
}

const needsBody = ({ account, attempt, p }: RuleWords): boolean =>
  [account, attempt, p].some((condition) => condition !== undefined);

/** Words that do not go together, or an effect that cannot happen there. */
function conflictIn(rule: FaultRule, when: FaultPhase, canCrash: boolean): string | undefined {
  const { on, stage, effect, bytes } = rule;
  const has = (word: RuleWord) => rule[word] !== undefined;
  const [, second] = EFFECT_WORDS.filter(has);
  if (second) return `\`${effect}\` and \`${second}\` are two faults: write two rules`;
  if (effect === 'answer' && !has('status') && !has('html') && !has('empty'))
    return `it does not say what happens: add one of status, html, empty, ${EFFECT_WORDS.join(', ')}`;
  const { words = [], when: phases = FAULT_PHASES, on: targets = FAULT_TARGETS } = limitsOf(effect);
  const stranger = ([...ANSWER.words!, 'bytes', 'close'] as const).find(
    (word) => has(word) && !words.includes(word),
  );
  if (stranger) return `\`${stranger}\` does not go with \`${effect === 'answer' ? 'status' : effect}\``;
  if (!phases.includes(when)) return `\`${effect}\` happens ${phases.join(' or ')}, not ${when}`;
  if (!targets.includes(on)) return `\`${effect}\` cannot happen to ${on}`;
  if (bytes !== undefined && (stage === 'before-commit' || stage === 'accept'))
    return '`bytes` counts those of the answer (`after-commit`), or of a request (`accept`) whose rule has no `account`, `attempt` or `p`';
  // A platform inside another program must not end that program.
  if (effect === 'crash' && !canCrash)
    return 'only `dataimport serve` can crash, a platform inside another program cannot';
  return undefined;
}

function notOneOf(name: string, given: string | undefined, names: readonly string[]): readonly string[] {
  if (given !== undefined && names.includes(given)) return [];
  return [`\`${name}\` ${given === undefined ? 'is missing: it ' : ''}must be one of ${names.join(', ')}`];
}

const isWord = (word: string): word is RuleWord => Object.hasOwn(WORDS, word);

function unknownWord(word: string): string {
  const near = nearestName(word, RULE_WORDS);
  return `there is no \`${word}\`${near === undefined ? '' : `; did you mean \`${near}\`?`}`;
}

function unquoted(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single!);
}
