import * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { SENDABLE, SENDABLE_IN_WORDS } from '../../core/sendable-secret.ts';
import type { Path } from '../../core/problem.ts';
import { keysAt } from '../../core/schema.ts';
import { suggestion } from '../../core/suggestion.ts';
import { isTimeZone } from '../../core/values/time-zone.ts';
import type { FaultOptions, PlatformOptions } from './server-options.ts';

type Shape<T> = { readonly [Name in keyof Required<T>]: z.ZodMiniType };

/** A value that passes a test. `accepted` says in words what does. */
const that = (accepted: string, accepts: (value: unknown) => boolean) =>
  z.optional(z.custom(accepts, { message: accepted }));

/** Options of which some may be given. */
const some = <T>(shape: Shape<T>) => z.optional(z.strictObject(shape, OBJECT));
const OBJECT = { error: ({ code }: { code: string }) => (code === 'invalid_type' ? 'an object' : undefined) };

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isWhole = (value: unknown, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;

const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  that(
    `a whole number ${most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`}`,
    (value) => isWhole(value, least, most),
  );
const textThat = (accepted: string, accepts: (text: string) => boolean) =>
  that(accepted, (value) => typeof value === 'string' && accepts(value));
const listThat = (accepted: string, accepts: (item: unknown) => boolean) =>
  that(accepted, (value) => Array.isArray(value) && value.every(accepts));

const TEXT = that('a text that is not empty', isText);
const FLAG = that('true or false', (value) => typeof value === 'boolean');
const FUNCTION = that('a function', (value) => typeof value === 'function');

/** The end of the year 9999. A later year has five digits, which no date format here allows. */
const LATEST_MS = 253_402_300_799_999;

const OPTIONS = some<PlatformOptions>({
  host: TEXT,
  port: whole(0, 65_535),
  database: TEXT,
  // Reading a seed checks it, with its own errors.
  seeds: listThat(
    'a list of paths and objects',
    (seed) => isText(seed) || (typeof seed === 'object' && seed !== null && !Array.isArray(seed)),
  ),
  contract: TEXT,
  apiKey: textThat(SENDABLE_IN_WORDS, (text) => SENDABLE.test(text)),
  timeZone: textThat('a name of the IANA time zone database such as Europe/London', isTimeZone),
  // Reading a decision checks it, with its own errors.
  behaviour: listThat('a list of decisions such as tx-400=prefix', isText),
  allowNetwork: FLAG,
  faults: some<FaultOptions>({
    // Reading a rule checks it, with its own errors.
    rules: listThat('a list of rules such as notes accept reset', isText),
    seed: whole(0),
  }),
  nowMs: that(
    'a function that returns whole milliseconds since 1970',
    (value) => typeof value === 'function' && isWhole(value(), 0, LATEST_MS),
  ),
  onUnexpectedError: FUNCTION,
});

/** The given options without the undefined ones. They are checked because a program without types can pass anything. */
export function checkedOptions<T extends { readonly [Name in keyof PlatformOptions]?: unknown }>(
  given: T,
): T {
  const { error } = OPTIONS.safeParse(given ?? null);
  const issue = error?.issues[0];
  if (!issue)
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;
  const path = issue.path.join('.') || 'options';
  if (issue.code !== 'unrecognized_keys') throw wrong(path, `it must be ${issue.message}`, issue.message);
  const [name = ''] = issue.keys;
  const known = keysAt(OPTIONS, issue.path as Path);
  const near = suggestion(name, known) || `, but ${known.join(', ')}`;
  throw wrong([...issue.path, name].join('.'), `there is no such option${near}`, known.join(', '));
}

const wrong = (setting: string, reason: string, accepted: string): AppError =>
  new AppError('setting_invalid', { setting, source: 'an option of the platform', reason, accepted });
