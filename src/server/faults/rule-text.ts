import { plainJson } from '../../core/values/plain-json.ts';
import type { WrittenRule } from './written-rule.ts';

/** Words between blanks; quotes hold blanks together. */
const WORD = /(?:[^\s"']|"[^"]*"|'[^']*')+/g;

/** Keys whose value stays text, whatever it looks like. */
const TEXT_KEYS: ReadonlySet<string> = new Set(['account', 'supplier', 'body', 'location']);

const WHICH_KEYS = ['account', 'supplier', 'attempt', 'nth', 'every', 'times', 'p'];

const HEADER_PREFIX = 'headers.';

/**
 * A rule as `--fault` takes it, `transactions after-commit reset nth=3`, as the object that a plan file has: the first
 * word is `on`, the second `when`, and a word without a value is true. What it says is not checked here.
 */
export function writtenOf(ruleText: string): Readonly<Record<string, unknown>> {
  const [on, when] = wordsOf(ruleText);
  const written: Record<string, unknown> = {
    ...(on !== undefined && { on }),
    ...(when !== undefined && { when }),
  };
  const headers: Record<string, string> = {};
  for (const { key, value } of pairsOf(ruleText)) {
    if (key.startsWith(HEADER_PREFIX)) headers[key.slice(HEADER_PREFIX.length)] = value ?? '';
    else written[key] = value === null ? true : valueOf(key, value);
  }
  return Object.keys(headers).length > 0 ? { ...written, headers } : written;
}

/** A key that a text says twice; undefined when it says none. */
export function repeatedKey(ruleText: string): string | undefined {
  const keys = ['on', 'when', ...pairsOf(ruleText).map(({ key }) => key)];
  return keys.find((key, index) => keys.indexOf(key) < index);
}

interface Pair {
  readonly key: string;
  /** Null for a word without an equals sign. */
  readonly value: string | null;
}

/** The words behind the first two. */
function pairsOf(ruleText: string): readonly Pair[] {
  return wordsOf(ruleText)
    .slice(2)
    .map((word) => {
      const equals = word.indexOf('=');
      return equals < 0
        ? { key: word, value: null }
        : { key: word.slice(0, equals), value: word.slice(equals + 1) };
    });
}

function wordsOf(ruleText: string): readonly string[] {
  return (ruleText.match(WORD) ?? []).map(unquoted);
}

/** The text of a rule, which reads as the same rule. */
export function textOfRule({ on, when, ...rest }: WrittenRule): string {
  // What happens, then to which: as one says it.
  const inOrder = Object.entries(rest).toSorted(([a], [b]) => rankOf(a) - rankOf(b));
  const words = inOrder.flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (value === true) return [key];
    if (key === 'headers') {
      return Object.entries(value as Record<string, string>).map(
        ([name, text]) => `${HEADER_PREFIX}${name}=${quoted(text)}`,
      );
    }
    return [`${key}=${quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))}`];
  });
  return [on, when, ...words].join(' ');
}

function rankOf(key: string): number {
  return WHICH_KEYS.indexOf(key);
}

function valueOf(key: string, text: string): unknown {
  return !TEXT_KEYS.has(key) && /^\d+(\.\d+)?$/.test(text) ? plainJson(text) : text;
}

function unquoted(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single!);
}

/** In single quotes unless it holds one, because JSON is full of double ones. */
function quoted(text: string): string {
  if (text !== '' && !/[\s"']/.test(text)) return text;
  return (
    text
      .split(/(')/)
      .filter((part) => part !== '')
      .map((part) => (part === "'" ? `"'"` : `'${part}'`))
      .join('') || "''"
  );
}
