import { AppError } from '../core/app-error.ts';
import { dateInZone } from '../core/values/instant.ts';
import { HTTP_LIMITS } from './http-limits.ts';
import type { FaultOptions, ServerOptions } from './server-options.ts';

/** What an option may be, as a test and in words. */
type Rule = readonly [accepts: (value: unknown) => boolean, accepted: string];

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isList = (value: unknown): boolean => Array.isArray(value);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !isList(value);
const isFrom = (least: number) => (value: unknown) =>
  Number.isSafeInteger(value) && (value as number) >= least;

const TEXT: Rule = [isText, 'a text that is not empty'];
const TEXTS: Rule = [(value) => Array.isArray(value) && value.every(isText), 'a list of texts'];
const COUNT: Rule = [isFrom(1), 'a whole number of at least 1'];
const FLAG: Rule = [(value) => typeof value === 'boolean', 'true or false'];
const FUNCTION: Rule = [(value) => typeof value === 'function', 'a function'];
const OBJECT: Rule = [isObject, 'an object'];

const RULES: { readonly [Name in keyof Required<ServerOptions>]: Rule } = {
  host: TEXT,
  port: [(value) => isFrom(0)(value) && (value as number) <= 65_535, 'a whole number from 0 to 65535'],
  database: TEXT,
  seeds: TEXTS,
  apiKey: TEXT,
  tokenTtlSeconds: COUNT,
  timeZone: [isTimeZone, 'a name of the IANA time zone database such as Europe/London'],
  bodyLimitBytes: COUNT,
  maxItems: COUNT,
  http: OBJECT,
  // What stands in it is checked where a platform is made of it.
  behaviour: OBJECT,
  allowedHosts: TEXTS,
  faults: OBJECT,
  crash: FUNCTION,
  isolate: FLAG,
  logBodies: FLAG,
  sleep: FUNCTION,
  version: TEXT,
  nowMs: FUNCTION,
  randomBytes: FUNCTION,
  onUnexpectedError: FUNCTION,
};

const FAULT_RULES: { readonly [Name in keyof Required<FaultOptions>]: Rule } = {
  file: TEXT,
  rules: [isList, 'a list of rules'],
  seed: [isFrom(0), 'a whole number of at least 0'],
};

const HTTP_RULES = Object.fromEntries(Object.keys(HTTP_LIMITS).map((name) => [name, COUNT]));

/**
 * Refuses what the types would refuse; a program without types may give any.
 * @throws AppError `setting_invalid`
 */
export function checkOptions(given: ServerOptions): void {
  checkEach(given, RULES, '');
  checkEach(given.http ?? {}, HTTP_RULES, 'http.');
  checkEach(given.faults ?? {}, FAULT_RULES, 'faults.');
}

function checkEach(given: object, rules: Readonly<Record<string, Rule>>, prefix: string): void {
  for (const [name, value] of Object.entries(given)) {
    const setting = `${prefix}${name}`;
    if (!Object.hasOwn(rules, name))
      throw refused(setting, 'there is no such option', Object.keys(rules).join(', '));
    const [accepts, accepted] = rules[name]!;
    if (value !== undefined && !accepts(value))
      throw refused(setting, 'its value is of another kind', accepted);
  }
}

function refused(setting: string, reason: string, accepted: string): AppError {
  return new AppError('setting_invalid', { setting, source: 'an option of the platform', reason, accepted });
}

function isTimeZone(value: unknown): boolean {
  try {
    dateInZone(0, value as string);
    return isText(value);
  } catch {
    return false;
  }
}
