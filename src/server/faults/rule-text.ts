import { plainJson } from '../../core/values/plain-json.ts';
import type { FaultRule } from './rule-schema.ts';

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
