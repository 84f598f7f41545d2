import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { nearestName } from '../../core/suggestion.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import {
  EFFECTS,
  effectOf,
  faultRule,
  limitsOf,
  needsBody,
  RULE_KEYS,
  type FaultRule,
} from './fault-rule.ts';

type ParsedRule =
  | { readonly rule: FaultRule; readonly reason?: undefined }
  | { readonly rule?: undefined; readonly reason: string };

/** The rules of texts as `--fault` takes them. @throws AppError `seed_invalid` with all problems */
export function rulesOf(texts: readonly string[], canCrash: boolean): readonly FaultRule[] {
  const parsed = texts.map((text): ParsedRule => {
    const read = readRule(text);
    return read.rule?.crash && !canCrash ? { reason: NO_CRASH } : read;
  });
  const problems = parsed.flatMap(({ reason }, index) => (reason === undefined ? [] : [{ reason, index }]));
  const [first, ...others] = problems;
  if (first === undefined) return parsed.flatMap(({ rule }) => rule ?? []);
  // A person who typed a single wrong rule has not counted, so the text names it.
  if (others.length === 0)
    throw new AppError('seed_invalid', {
      what: `the fault \`${texts[first.index]}\` is wrong`,
      reason: first.reason,
    });
  const reason = problems.map((each) => `rule ${each.index + 1}: ${each.reason}`).join('; ');
  throw new AppError('seed_invalid', { what: 'the faults are wrong', reason });
}

/** A platform inside another program must not end that program. */
const NO_CRASH = 'only `dataimport serve` can crash, a platform inside another program cannot';

/** Reads a rule as `--fault` takes it. */
export function readRule(text: string): ParsedRule {
  const { object, repeated } = objectOfText(text);
  if (object === undefined) return { reason: `\`${repeated}\` is given twice` };
  const { data, error } = faultRule.safeParse(object);
  const reason = error ? problemsOf(error.issues, object) : conflictIn(data);
  return reason === undefined ? { rule: { ...data!, text: text.match(WORD)!.join(' ') } } : { reason };
}

/** Keys that do not go together, an effect that cannot happen there, or a rule that could never fire. */
function conflictIn(rule: z.infer<typeof faultRule>): string | undefined {
  const { on, when, bytes, nth, every } = rule;
  const has = (key: keyof typeof rule) => rule[key] !== undefined;
  const names = Object.keys(EFFECTS) as (keyof typeof EFFECTS)[];
  const [name, second] = names.filter(has);
  if (second) return `\`${name}\` and \`${second}\` are two faults: write two rules`;
  if (!name && !has('status') && !has('html') && !has('empty'))
    return `it does not say what happens: add one of status, html, empty, ${names.join(', ')}`;

  const limits = limitsOf(effectOf(rule));
  const details = [...limitsOf('answer').keys!, 'bytes', 'close'] as const;
  const stranger = details.find((key) => has(key) && !limits.keys?.includes(key));
  if (stranger) return `\`${stranger}\` does not go with \`${name ?? 'status'}\``;
  if (limits.when && !limits.when.includes(when))
    return `\`${name}\` happens ${limits.when.join(' or ')}, not ${when}`;
  if (limits.on && !limits.on.includes(on)) return `\`${name}\` cannot happen to ${on}`;
  if (has('retry-after') && has('retry-after-date'))
    return '`retry-after` and `retry-after-date` are two waits';
  if (has('empty') && (has('html') || has('body'))) return '`empty` leaves no room for a body';
  if (bytes !== undefined && when === 'before-commit')
    return '`bytes` counts those of the request (`accept`) or of the answer (`after-commit`)';
  if (bytes !== undefined && when === 'accept' && needsBody(rule))
    return '`account`, `attempt` and `p` need the whole body, of which `bytes` leaves a part unread';
  if (nth !== undefined && every !== undefined && nth % every !== 0)
    return '`nth` is no multiple of `every`, so no request is both: leave one of them out';
  if (has('account') && (on === 'token' || on === 'lists'))
    return `a request of ${on} names no account, so \`account\` never meets one`;
  return undefined;
}

/** The problems that the schema finds, in its own messages. A misspelt key is not reported as missing as well. */
function problemsOf(issues: readonly z.core.$ZodIssue[], object: object): string {
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
  const meant = new Set(unknown.map((key) => nearestName(key, RULE_KEYS)));
  const others = issues.flatMap(({ code, path: [part], message }) => {
    if (code === 'unrecognized_keys') return [];
    const key = String(part);
    if (Object.hasOwn(object, key)) return [`\`${key}\` ${message}`];
    return meant.has(key) ? [] : [`\`${key}\` is missing: it ${message}`];
  });
  return [...new Set([...unknown.map(unknownKey), ...others])].join('; ');
}

function unknownKey(key: string): string {
  const near = nearestName(key, RULE_KEYS);
  return `there is no \`${key}\`${near === undefined ? '' : `; did you mean \`${near}\`?`}`;
}

/** A word is text between blanks. Quotes keep blanks together. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** Values of these keys stay text, even when they look like numbers. */
const TEXT_KEYS: ReadonlySet<string> = new Set(['account', 'body', 'location']);

/**
 * Reads a rule as `--fault` takes it, `transactions after-commit reset nth=3`: the first word is `on`, the second `when`, and a
 * word without a value is true. The schema checks the result.
 * @returns the object of a rule, or the key that occurs twice
 */
export function objectOfText(ruleText: string): { object?: object; repeated?: string } {
  const [on, when, ...words] = (ruleText.match(WORD) ?? []).map(unquoted);
  const pairs: (readonly [key: string, value: unknown])[] = [
    ['on', on],
    ['when', when],
  ];
  for (const word of words) {
    const equals = word.indexOf('=');
    const [key, value] = equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
    if (pairs.some(([earlier]) => earlier === key)) return { repeated: key };
    pairs.push([key, value === undefined ? true : valueOf(key, value)]);
  }
  return { object: Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) };
}

function valueOf(key: string, text: string): unknown {
  return !TEXT_KEYS.has(key) && /^\d+(\.\d+)?$/.test(text) ? plainJson(text) : text;
}

function unquoted(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single!);
}
