import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { nearestName } from '../../core/suggestion.ts';
import {
  EFFECTS,
  effectOf,
  limitsOf,
  needsBody,
  faultRule,
  RULE_KEYS,
  type FaultRule,
  type FaultTarget,
} from './fault-rule.ts';
import { plainJson } from '../../core/values/plain-json.ts';

/** A rule, or the reason why it is refused. */
type ParsedRule =
  | { readonly rule: FaultRule; readonly reason?: undefined }
  | { readonly rule?: undefined; readonly reason: string };

/** The rules of texts as `--fault` takes them. @throws AppError `fault_invalid` with all problems */
export function rulesOf(texts: readonly string[]): readonly FaultRule[] {
  const parsed = texts.map(readRule);
  const problems = parsed.flatMap(({ reason }, index) => (reason === undefined ? [] : [{ reason, index }]));
  const [first, ...others] = problems;
  if (first === undefined) return parsed.flatMap(({ rule }) => rule ?? []);
  // A person who typed a single wrong rule has not counted, so the text names it.
  if (others.length === 0)
    throw new AppError('fault_invalid', { rule: `\`${texts[first.index]}\``, reason: first.reason });
  const reason = problems.map((each) => `rule ${each.index + 1}: ${each.reason}`).join('; ');
  throw new AppError('fault_invalid', { rule: 'plan', reason });
}

/** Reads a rule as `--fault` takes it. */
export function readRule(text: string): ParsedRule {
  const { object, repeated } = objectOfText(text);
  if (object === undefined) return { reason: `\`${repeated}\` is given twice` };
  const { data: rule, error } = faultRule.safeParse(object);
  const reason = error ? problemsOf(error.issues, object) : (conflictIn(rule) ?? contradictionIn(rule));
  return reason === undefined ? { rule: rule! } : { reason };
}

/** Two keys that do not go together, or an effect that cannot happen there. */
function conflictIn(rule: FaultRule): string | undefined {
  const has = (key: keyof FaultRule) => rule[key] !== undefined;
  const names = Object.keys(EFFECTS) as (keyof FaultRule)[];
  const [name, second] = names.filter(has);
  if (second) return `\`${name}\` and \`${second}\` are two faults: write two rules`;
  if (!name && !has('status') && !has('html') && !has('empty'))
    return `it does not say what happens: add one of status, html, empty, ${names.join(', ')}`;

  const { keys = [], when, on } = limitsOf(effectOf(rule));
  const details = [...limitsOf('answer').keys!, 'bytes', 'close'] as const;
  const stranger = details.find((key) => has(key) && !keys.includes(key));
  if (stranger) return `\`${stranger}\` does not go with \`${name ?? 'status'}\``;
  if (when && !when.includes(rule.when)) return `\`${name}\` happens ${when.join(' or ')}, not ${rule.when}`;
  if (on && !on.includes(rule.on)) return `\`${name}\` cannot happen to ${rule.on}`;
  if (has('bytes') && rule.when === 'before-commit')
    return '`bytes` counts those of the request (`accept`) or of the answer (`after-commit`)';
  if (has('retry-after') && has('retry-after-date'))
    return '`retry-after` and `retry-after-date` are two waits';
  if (has('empty') && (has('html') || has('body'))) return '`empty` leaves no room for a body';
  return undefined;
}

/** The reason why a rule could never fire. */
function contradictionIn(rule: FaultRule): string | undefined {
  const { on, when, bytes, nth, every } = rule;
  if (bytes !== undefined && when === 'accept' && needsBody(rule))
    return '`account`, `supplier`, `attempt` and `p` need the whole body, of which `bytes` leaves a part unread';
  if (nth !== undefined && every !== undefined && nth % every !== 0)
    return '`nth` is no multiple of `every`, so no request is both: leave one of them out';
  const unnamed = UNNAMED[on]?.find((key) => rule[key] !== undefined);
  return unnamed && `a request of ${on} names no ${unnamed}, so \`${unnamed}\` never meets one`;
}

/** Things that a request to an endpoint does not name. */
const UNNAMED: Readonly<Partial<Record<FaultTarget, readonly ('account' | 'supplier')[]>>> = {
  token: ['account', 'supplier'],
  lists: ['account'],
};

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
const TEXT_KEYS: ReadonlySet<string> = new Set(['account', 'supplier', 'body', 'location']);

const HEADER = 'headers.';

/**
 * Reads a rule as `--fault` takes it, `transactions after-commit reset nth=3`: the first word is `on`, the second `when`, and a
 * word without a value is true. The schema checks the result.
 * @returns the object of a rule, or the key that occurs twice
 */
export function objectOfText(ruleText: string): { object?: object; repeated?: string } {
  const [on, when, ...words] = (ruleText.match(WORD) ?? []).map(unquoted);
  const keys = ['on', 'when'];
  const headers: Record<string, string> = {};
  const object: Record<string, unknown> = {
    ...(on !== undefined && { on }),
    ...(when !== undefined && { when }),
  };
  for (const word of words) {
    const equals = word.indexOf('=');
    const [key, value] = equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)];
    if (keys.includes(key)) return { repeated: key };
    keys.push(key);
    if (key.startsWith(HEADER)) headers[key.slice(HEADER.length)] = value ?? '';
    else object[key] = value === undefined ? true : valueOf(key, value);
  }
  return { object: Object.keys(headers).length > 0 ? { ...object, headers } : object };
}

function valueOf(key: string, text: string): unknown {
  return !TEXT_KEYS.has(key) && /^\d+(\.\d+)?$/.test(text) ? plainJson(text) : text;
}

function unquoted(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single!);
}

const CONDITIONS = ['account', 'supplier', 'attempt', 'nth', 'every', 'times', 'p'];

/** The rule as `--fault` takes it: first what happens, then the conditions. */
export function textOfRule({ on, when, headers = {}, ...rest }: FaultRule): string {
  const named = Object.entries(headers).map(([name, text]) => [HEADER + name, text] as const);
  const pairs = [...Object.entries(rest), ...named].filter(([, value]) => value !== undefined);
  const inOrder = pairs.toSorted(([a], [b]) => CONDITIONS.indexOf(a) - CONDITIONS.indexOf(b));
  return [
    on,
    when,
    ...inOrder.map(([key, value]) => (value === true ? key : `${key}=${quoted(value)}`)),
  ].join(' ');
}

/** In single quotes, because JSON is full of double ones. A single quote itself is put in double quotes. */
function quoted(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text !== '' && !/[\s"']/.test(text)) return text;
  const parts = text.split(/(')/).filter((part) => part !== '');
  return parts.map((part) => (part === "'" ? `"'"` : `'${part}'`)).join('') || "''";
}
