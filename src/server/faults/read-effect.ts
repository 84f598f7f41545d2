import type { Effect, FaultPhase, FaultTarget, PlannedAnswer } from './rule.ts';
import type { WrittenRule } from './written-rule.ts';

type Key = keyof WrittenRule;

/** What a rule says that happens, with what may stand beside it, and when and where it can happen. */
interface EffectKey {
  readonly beside: readonly Key[];
  readonly when: readonly FaultPhase[];
  /** All targets when left out. */
  readonly on?: readonly FaultTarget[];
}

const ANSWER_KEYS = [
  'status',
  'html',
  'empty',
  'body',
  'headers',
  'retry-after',
  'retry-after-date',
  'location',
] as const;
const ALWAYS: readonly FaultPhase[] = ['accept', 'before-commit', 'after-commit'];
const WITH_ANSWER: readonly FaultPhase[] = ['after-commit'];
const WITH_RECORDS: readonly FaultTarget[] = [
  'any',
  'records',
  'notes',
  'transactions',
  'statements',
  'payment-instructions',
];
const WITH_RESULTS: readonly FaultTarget[] = [
  'any',
  'records',
  'notes',
  'transactions',
  'statements',
  'lists',
];
const WITH_RESULT_STATUS: readonly FaultTarget[] = ['any', 'records', 'notes', 'transactions'];

const items: EffectKey = { beside: [], when: WITH_ANSWER, on: WITH_RESULTS };

/** Every key that is an effect by itself. Without one of them `status`, `html` or `empty` is the effect. */
const EFFECT_KEYS = {
  reset: { beside: ['bytes'], when: ALWAYS },
  stall: { beside: [], when: ALWAYS },
  crash: { beside: [], when: ALWAYS },
  delay: { beside: [], when: ALWAYS },
  truncate: { beside: ['close'], when: WITH_ANSWER },
  missing: items,
  doubled: items,
  reordered: items,
  extra: items,
  failing: { beside: [], when: ['before-commit', 'after-commit'], on: WITH_RESULT_STATUS },
  swapped: { beside: [], when: WITH_ANSWER },
  'expire-tokens': { beside: [], when: ['accept'] },
  prefix: { beside: ANSWER_KEYS, when: ['before-commit'], on: WITH_RECORDS },
} as const satisfies Partial<Record<Key, EffectKey>>;
type EffectName = keyof typeof EFFECT_KEYS;

const NAMES = Object.keys(EFFECT_KEYS) as readonly EffectName[];
const DETAIL_KEYS: readonly Key[] = [...ANSWER_KEYS, 'bytes', 'close'];

/** An effect, or why the rule has none. */
type EffectReading =
  | { readonly effect: Effect; readonly reason?: undefined }
  | { readonly effect?: undefined; readonly reason: string };

/** The one thing that a rule does. */
export function effectOf(written: WrittenRule): EffectReading {
  const [name, second] = NAMES.filter((key) => written[key] !== undefined);
  if (second !== undefined) return wrong(`\`${name}\` and \`${second}\` are two faults: write two rules`);
  const isAnswer = ['status', 'html', 'empty'].some((key) => written[key as Key] !== undefined);
  if (name === undefined && !isAnswer) {
    return wrong(`it does not say what happens: add one of status, html, empty, ${NAMES.join(', ')}`);
  }
  const { beside, when, on }: EffectKey = name ? EFFECT_KEYS[name] : { beside: ANSWER_KEYS, when: ALWAYS };
  const stranger = DETAIL_KEYS.find((key) => written[key] !== undefined && !beside.includes(key));
  if (stranger) return wrong(`\`${stranger}\` does not go with \`${name ?? 'status'}\``);
  if (!when.includes(written.when))
    return wrong(`\`${name}\` happens ${when.join(' or ')}, not ${written.when}`);
  if (on && !on.includes(written.on)) return wrong(`\`${name}\` cannot happen to ${written.on}`);
  if (written.bytes !== undefined && written.when === 'before-commit') {
    return wrong('`bytes` counts those of the request (`accept`) or of the answer (`after-commit`)');
  }
  if (written['retry-after'] !== undefined && written['retry-after-date'] !== undefined) {
    return wrong('`retry-after` and `retry-after-date` are two waits');
  }
  const pages = (['html', 'empty', 'body'] as const).filter((key) => written[key] !== undefined);
  if (written.empty && pages.length > 1) return wrong('`empty` leaves no room for a body');
  return { effect: name ? effectNamed(name, written) : { kind: 'answer', answer: answerOf(written, 200) } };
}

function wrong(reason: string): EffectReading {
  return { reason };
}

function effectNamed(name: EffectName, written: WrittenRule): Effect {
  switch (name) {
    case 'reset':
      return { kind: 'reset', bytes: written.bytes ?? null };
    case 'delay':
      return { kind: 'delay', delayMs: written.delay! };
    case 'truncate':
      return { kind: 'truncate', bytes: written.truncate!, close: written.close ?? false };
    case 'prefix':
      return { kind: 'prefix', records: written.prefix!, answer: answerOf(written, 500) };
    case 'missing':
    case 'doubled':
    case 'reordered':
    case 'extra':
    case 'failing': {
      const position = written[name];
      return { kind: 'items', change: name, position: typeof position === 'number' ? position : null };
    }
    default:
      return { kind: name };
  }
}

function answerOf(written: WrittenRule, status: number): PlannedAnswer {
  const { body, location, html, empty } = written;
  const seconds = written['retry-after'];
  return {
    status: written.status ?? status,
    page: html ? 'html' : empty ? 'empty' : 'json',
    body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    headers: {
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
      ...(location !== undefined && { location }),
      ...lowerCased(written.headers ?? {}),
    },
    retryAfterDateSeconds: written['retry-after-date'] ?? null,
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
