import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { observer } from '../../core/observer.ts';
import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { LeavingRequest, RequestEnd } from '../client/requests.ts';
import { expiryOf } from '../client/token.ts';
import type { TokenMutation } from '../../core/contract/token.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { disguised, type Disguise } from './disguise.ts';
import { disguisedJson, disguisedName } from './disguised-body.ts';
import {
  disguiseIn,
  endpointOf,
  fingerprintOf,
  headerLine,
  keyFileOf,
  lackedKey,
  type answerLine,
  type requestLine,
} from './exchange.ts';

/** How exchanges are kept. */
export interface RecorderOptions {
  /** Path of the file, which may have an earlier recording that this one goes on with. */
  readonly path: string;
  /** Words that the contract of the operator has, beside those of the interface. An operator may list the values of a field. */
  readonly kept: readonly string[];
  readonly mutation: TokenMutation;
  readonly version: string;
  /** Hears once that the file takes no more lines. A push does not end because of that. */
  readonly onFailure: (reason: string) => void;
}

type Hide = (text: string) => string;
type Line = z.infer<typeof requestLine> | z.infer<typeof answerLine>;

/** A recorder of exchanges, until it is closed. */
export interface Recorder {
  /** Writes a request that leaves, and returns what writes its end. `hide` removes secrets from a text. */
  record(request: LeavingRequest, hide: Hide): (end: RequestEnd) => void;
  close(): void;
}

/**
 * Opens a recording for appending, readable by its owner only. Each line is written at once, and a request before its first byte leaves, so a
 * killed process leaves all that the platform may have got. No key, token or header with a secret is ever written.
 */
export function openRecorder(options: RecorderOptions): Recorder {
  const { path, version, mutation, onFailure } = options;
  const before = existsSync(path) ? attempt(path, () => readFileSync(path, 'utf8')) : '';
  const disguise = before === '' ? newDisguise(options) : disguiseBefore(path, before);
  const file = attempt(path, () => openSync(path, 'a', 0o600));
  const append = (line: string): void => writeFileSync(file, `${line}\n`);
  // A killed process may have left the last line without its end.
  const start = before === '' || before.endsWith('\n') ? '' : '\n';
  const header = { recording: 1, tool_version: version, disguise: fingerprintOf(disguise.salt) };
  attempt(path, () => append(start + JSON.stringify(header)));
  // Secrets go by their values once a line is whole, wherever they stand in it.
  const write = observer(
    (hide: Hide, lineOf: () => Line) => append(hide(JSON.stringify(lineOf()))),
    (error) => onFailure(fileReason(error)),
  );

  const command = randomBytes(6).toString('hex');
  let requests = 0;
  return {
    record({ method, path: target, body, isForToken, startedMs }, hide) {
      const request = `${command}-${++requests}`;
      const text = (json: string | null | undefined, hideOwn: Hide): string | null =>
        disguisedJson(hideOwn(json ?? ''), disguise) ?? null;
      write(hide, () => ({
        request,
        at: preciseInstantOfClock(startedMs),
        method,
        path: isForToken ? target : disguisedPath(target, (value) => disguised(value, disguise)),
        body: isForToken ? null : text(body, hide),
        ...(isForToken && { token: { mutation: mutation.mutation, input_field: mutation.inputField } }),
      }));
      return ({ answer, tookMs }) => {
        const json = isForToken ? plainJson(answer?.body ?? '') : undefined;
        // Nobody else has learned a new token yet.
        const own = isForToken ? textsIn(isJsonObject(json) ? json['data'] : undefined) : [];
        const hideOwn = (from: string): string =>
          own.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), hide(from));
        const name = (from: string): string => disguisedName(hideOwn(from), disguise);
        write(hideOwn, () => ({
          answers: request,
          status: answer?.status ?? null,
          headers: headersThatMatter(answer?.headers ?? {}, name),
          answer: isForToken ? tokenAnswer(json) : text(answer?.body, hideOwn),
          took_ms: Math.round(tookMs),
          ...(isForToken && { lifetime_s: lifetimeIn(json, startedMs + tookMs) }),
        }));
      };
    },
    close: () => closeSync(file),
  };
}

/** The texts in a value that are long enough for a secret. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length < 8 ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** An answer to a request for a token, without any text but its names and codes. Null for what is no JSON. */
export function tokenAnswer(answer: unknown): string | null {
  const masked = (key: string, value: unknown): unknown => {
    if (typeof value === 'number') return 0;
    if (typeof value !== 'string' && key !== 'payload') return value;
    return /^error(Code|Type)$/.test(key) && CODE_OF_PLATFORM.test(String(value)) ? value : '…';
  };
  return answer === undefined ? null : JSON.stringify(answer, masked);
}

/** A code such as KT-CT-1138 or VALIDATION. */
const CODE_OF_PLATFORM = /^[A-Z]{2,20}(?:[-_](?:[A-Z]{1,20}|\d{1,4})){0,5}$/;

/** The token in an answer of the mutation. */
export function tokenIn(answer: unknown): string | undefined {
  const data = isJsonObject(answer) && isJsonObject(answer['data']) ? Object.values(answer['data']) : [];
  const token = data.flatMap((result) => (isJsonObject(result) ? [result['token']] : []))[0];
  return typeof token === 'string' ? token : undefined;
}

/** Seconds until the token of an answer ends; null when it does not say. */
function lifetimeIn(answer: unknown, nowMs: number): number | null {
  const endsAtMs = expiryOf(tokenIn(answer) ?? '');
  return endsAtMs === undefined ? null : Math.round((endsAtMs - nowMs) / 1_000);
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

const MATTERS = /^(content-type|retry-after|allow|www-authenticate)$|rate-?limit/;

/** The headers of an answer that a client goes by, with their names and values as `shown` gives them. */
export function headersThatMatter(
  headers: Readonly<Record<string, string>>,
  shown: (text: string) => string = (text) => text,
): Record<string, string> {
  const own = Object.entries(headers).filter(([name]) => MATTERS.test(name));
  return Object.fromEntries(own.map((pair) => pair.map(shown)));
}

/** The disguise with which a recording goes on. @throws AppError `document_invalid` */
function disguiseBefore(path: string, before: string): Disguise {
  const { data: header } = headerLine.safeParse(plainJson(before.split('\n', 1)[0]!));
  const key = keyFileOf(path);
  let reason = lackedKey(path);
  if (!header) reason = 'it does not begin as a recording does';
  else if (header.disguise === null) reason = 'its values are as they were sent';
  else if (existsSync(key)) {
    const disguise = keyIn(key);
    if (fingerprintOf(disguise.salt) === header.disguise) return disguise;
  }
  throw new AppError('document_invalid', {
    kind: 'recording',
    reason: `${path} takes no more exchanges: ${reason}`,
    todo: 'Give `--record` another file, or put the key of the recording beside it.',
  });
}

function newDisguise({ path, kept }: RecorderOptions): Disguise {
  const key = keyFileOf(path);
  const text = [randomBytes(32).toString('hex'), ...new Set(kept)].join('\n');
  if (!existsSync(key)) attempt(key, () => writeFileSync(key, `${text}\n`, { mode: 0o600, flag: 'wx' }));
  return keyIn(key);
}

function keyIn(file: string): Disguise {
  const disguise = disguiseIn(attempt(file, () => readFileSync(file, 'utf8')));
  if (!disguise)
    throw new AppError('file_exists', {
      what: 'is no file that this flag has written, so it is not replaced',
      file,
    });
  return disguise;
}

function attempt<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new AppError('file_not_writable', { file: path, reason: fileReason(error) }, error);
  }
}
