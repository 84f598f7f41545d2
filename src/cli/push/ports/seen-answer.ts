import { isJsonObject, plainJson } from '../../../core/values/plain-json.ts';
import type { PlatformAnswer } from './platform.ts';

/** Most characters of an answer that are shown. */
const SHOWN = 60;

/**
 * What an answer looks like, for a person who asks who answered: status, type, size, server, and its first words. JSON may have values of
 * records, so only its form is shown. `isFree`: whether words are free of values. Default: they are.
 */
export function seenAnswer(
  { status, headers, body, unreadable }: Answer,
  isFree: (words: string) => boolean = () => true,
): string {
  const type = plain(headers['content-type'] ?? '', /^[\w.+-]+\/[\w.+-]+/) ?? 'no content type';
  const server = plain(headers['server'] ?? '', /^[\w./ ()-]{1,40}$/);
  const bytes = Buffer.byteLength(body);
  const size = `${bytes} byte${bytes === 1 ? '' : 's'}`;
  const content = unreadable ?? (bytes === 0 ? 'empty' : `${size}: ${contentOf(body, isFree)}`);
  return [`status ${status}`, type, ...(server === undefined ? [] : [`server ${server}`]), content].join(
    ', ',
  );
}

/** A refusal in a few words: its status, and its reason or what it looks like. */
export function seenRefusal(answer: Answer, isFree?: (words: string) => boolean): string {
  const { status, body } = answer;
  const reason = reasonIn(answer);
  const isShown = reason !== '' && isFree?.(reason) !== false;
  if (body.trim() === '' || plainJson(body) !== undefined)
    return isShown ? `status ${status}: ${reason}` : `status ${status}`;
  return seenAnswer(answer, isFree);
}

/**
 * Something before the platform that refused a request, so that the platform saw neither key nor token; undefined where it may be the
 * platform, which answers in JSON. A framework may name `Basic` beside JSON.
 */
export function gatewayIn(answer: Answer, isFree?: (words: string) => boolean): string | undefined {
  const { headers, body } = answer;
  const scheme = /^(?:basic|digest|negotiate|ntlm)\b/i.exec(headers['www-authenticate'] ?? '')?.[0];
  if (plainJson(body) !== undefined || (body.trim() === '' && scheme === undefined)) return undefined;
  const asks = scheme === undefined ? '' : `, which asks for a user name and password (${scheme})`;
  return seenRefusal(answer, isFree) + asks;
}

type Answer = Extract<PlatformAnswer, { kind: 'answer' }>;

/** A reason is shown with at most so many texts, and so many characters together. */
const MOST_TEXTS = 3;
const MOST_CHARACTERS = 400;

/** No value with the reason is deeper. */
const DEEPEST = 16;

/** The words of an answer in JSON, whatever its form: those of `detail` where it has one. Empty when it has none. */
export function reasonIn({ body }: Pick<Answer, 'body'>): string {
  const texts = textsIn(plainJson(body), 0).map((text) => text.trim());
  return [...new Set(texts)]
    .filter((text) => text !== '')
    .slice(0, MOST_TEXTS)
    .join(' ')
    .slice(0, MOST_CHARACTERS);
}

function textsIn(value: unknown, depth: number, isReason = false): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return [];
  const inner = isJsonObject(value) ? REASONS.find((name) => Object.hasOwn(value, name)) : undefined;
  if (inner !== undefined)
    return textsIn((value as Readonly<Record<string, unknown>>)[inner], depth + 1, true);
  // The errors of a field are a list. A text in another place may be a value of a record.
  return Object.values(value)
    .filter((part) => isReason || Array.isArray(value) || typeof part !== 'string')
    .flatMap((part) => textsIn(part, depth + 1, isReason));
}

/** The names of a reason, the most telling first. */
const REASONS = ['detail', 'error_detail', 'error_description', 'message', 'msg', 'title', 'errors', 'error'];

const plain = (text: string, form: RegExp): string | undefined => form.exec(text.trim())?.[0];

function contentOf(body: string, isFree: (words: string) => boolean): string {
  const json = plainJson(body);
  if (Array.isArray(json)) return `a JSON list of ${json.length}`;
  if (isJsonObject(json)) {
    const names = Object.keys(json).filter((name) => /^\w{1,40}$/.test(name) && isFree(name));
    return `a JSON object with ${names.slice(0, 5).join(', ') || 'no known names'}`;
  }
  if (/^\s*[{[]/.test(body)) return 'JSON that ends early';
  const words = wordsOf(body);
  if (words === '') return 'no words';
  return isFree(words) ? `“${words}”` : 'words that may be of records';
}

/** The first words of a page or a text. */
function wordsOf(body: string): string {
  const text = body
    .slice(0, 20_000)
    .replaceAll(/<(script|style)\b[^]*?<\/\1\s*>|<[^>]*>|<!--[^]*?-->/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN).replace(/\s\S*$/, '')} …`;
}

/** What is said of an answer that nothing proves to be from the platform: a redirect, or a refusal in words. */
export function unprovenAnswer(status: number): string {
  return status < 400
    ? `the answer is a redirect (${status}), which is never followed with a body`
    : `the answer is status ${status}, from the platform or from something before it`;
}
