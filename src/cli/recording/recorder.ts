import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import type { SentExchange } from '../client/requests.ts';
import type { TokenMutation } from '../../core/contract/token.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { disguisedJson, disguisedText, idsWithItems, wordsOfInterface } from './disguised-body.ts';
import { endpointOf, fingerprintOf, headerLine, isKey, keyFileOf, type Exchange } from './exchange.ts';

/** How exchanges are kept. */
export interface RecorderOptions {
  /** Path of the file, which may have an earlier recording that this one goes on with. */
  readonly path: string;
  /** Whether values are written as they are. */
  readonly withValues: boolean;
  /** Words that the contract of the operator has, beside those of the interface. */
  readonly kept: readonly string[];
  readonly mutation: TokenMutation;
  readonly version: string;
  /** Seconds from now until a token ends; undefined when it does not say. */
  readonly lifetimeOf: (token: string) => number | undefined;
  /** Hears once that the file takes no more lines. A push does not end because of that. */
  readonly onFailure: (reason: string) => void;
}

/** A recorder of exchanges, until it is closed. */
export interface Recorder {
  /** `hide` removes secrets from a text. */
  record(exchange: SentExchange, hide: (text: string) => string): void;
  close(): void;
}

/**
 * Opens a recording for appending, readable by its owner only. Each exchange is a line that is written at once, so a killed process leaves
 * all that came before. No key, token or header with a secret is ever written.
 * @throws AppError `file_not_writable`, `file_not_ours`
 */
export function openRecorder(options: RecorderOptions): Recorder {
  const { path, withValues, kept, version, onFailure } = options;
  const salt = withValues ? null : keyOf(keyFileOf(path));
  const disguise = salt === null ? null : { salt, kept: new Set([...kept, ...wordsOfInterface()]) };
  assertSameDisguise(path, salt);
  const file = attempt(path, () => openSync(path, 'a', 0o600));
  let isOpen = true;
  const write = (line: object): void => writeFileSync(file, `${JSON.stringify(line)}\n`);
  attempt(path, () => write({ recording: 1, tool_version: version, disguise: salt && fingerprintOf(salt) }));

  const lineOf = (exchange: SentExchange, hide: (text: string) => string): Exchange => {
    const { path: target, body, answer } = exchange;
    const sent = body === null ? new Set() : idsWithItems(exactly(body));
    const text = (json: string | null | undefined): string | null => {
      if (json === null || json === undefined) return null;
      if (disguise) return disguisedJson(hide(json), disguise, sent) ?? null;
      return plainJson(json) === undefined ? null : hide(json);
    };
    return lineWith(exchange, {
      path: disguise ? disguisedPath(target, (value) => disguisedText(value, disguise)) : target,
      body: text(body),
      answer: text(answer?.body),
    });
  };

  return {
    record(exchange, hide) {
      if (!isOpen) return;
      try {
        write(exchange.isForToken ? tokenLine(exchange, options) : lineOf(exchange, hide));
      } catch (error) {
        isOpen = false;
        onFailure(fileReason(error));
      }
    },
    close: () => closeSync(file),
  };
}

const exactly = (body: string): unknown => {
  try {
    return parseExactJson(body);
  } catch {
    return undefined;
  }
};

/** An exchange with its texts as they are kept. */
function lineWith(
  { method, answer, startedMs, tookMs }: SentExchange,
  texts: Pick<Exchange, 'path' | 'body' | 'answer'>,
): Exchange {
  return {
    at: preciseInstantOfClock(startedMs),
    method,
    path: texts.path,
    body: texts.body,
    status: answer?.status ?? null,
    headers: headersThatMatter(answer?.headers ?? {}),
    answer: texts.answer,
    took_ms: Math.round(tookMs),
  };
}

/** An exchange for a token without the key, the token, and any text of the answer but its names and codes. */
function tokenLine(exchange: SentExchange, { mutation, lifetimeOf }: RecorderOptions): Exchange {
  const { path, answer } = exchange;
  const json = answer === null ? undefined : plainJson(answer.body);
  return {
    ...lineWith(exchange, {
      path,
      body: null,
      answer: json === undefined ? null : JSON.stringify(withoutTexts(json)),
    }),
    token: {
      mutation: mutation.mutation,
      input_field: mutation.inputField,
      lifetime_s: lifetimeOf(tokenIn(json) ?? '') ?? null,
    },
  };
}

/** The value with every text masked, except words that name an error. */
export function withoutTexts(value: unknown, key = ''): unknown {
  if (typeof value === 'string')
    return /^error(Code|Type)$/.test(key) && /^[\w-]{1,60}$/.test(value) ? value : '…';
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, key));
  if (!isJsonObject(value)) return typeof value === 'number' ? 0 : value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutTexts(inner, name)]));
}

/** The token in an answer of the mutation. */
export function tokenIn(answer: unknown): string | undefined {
  const data = isJsonObject(answer) && isJsonObject(answer['data']) ? Object.values(answer['data']) : [];
  const token = data.flatMap((result) => (isJsonObject(result) ? [result['token']] : []))[0];
  return typeof token === 'string' ? token : undefined;
}

/** The question that tries a token names no supplier of a customer. */
const TRIAL = 'dataimport-auth-check';

function disguisedPath(path: string, disguise: (text: string) => string): string {
  const { values } = endpointOf(path);
  const [place = '', query] = path.split('?');
  const parts = place.split('/').map((part, index) => {
    const value = decodeURIComponent(part);
    return values.includes(index) && value !== TRIAL ? encodeURIComponent(disguise(value)) : part;
  });
  return parts.join('/') + (query === undefined ? '' : `?${query}`);
}

/** Headers that a client goes by. */
const MATTERS = /^(content-type|retry-after|allow|www-authenticate)$|rate-?limit/;

/** The headers of an answer that a client goes by. */
export function headersThatMatter(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => MATTERS.test(name)));
}

/** A recording has one disguise, or none. @throws AppError `file_not_ours` */
function assertSameDisguise(path: string, salt: string | null): void {
  const before = existsSync(path) ? attempt(path, () => readFileSync(path, 'utf8')) : '';
  if (before === '') return;
  const header = headerLine.safeParse(plainJson(before.split('\n', 1)[0]!));
  if (header.data?.disguise !== (salt && fingerprintOf(salt)))
    throw new AppError('file_not_ours', { file: path });
}

/** The key in a file of its own, which is made when it is not there. */
function keyOf(path: string): string {
  if (!existsSync(path))
    attempt(path, () =>
      writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' }),
    );
  const salt = attempt(path, () => readFileSync(path, 'latin1')).trim();
  if (!isKey(salt)) throw new AppError('file_not_ours', { file: path });
  return salt;
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new AppError('file_not_writable', { file: path, reason: fileReason(error) }, error);
  }
}
