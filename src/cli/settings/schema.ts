import { DEFAULT_ACCOUNT_NUMBER_FIELD } from '../../core/contract/account-number.ts';
import { DEFAULT_TOKEN_MUTATION, TOKEN_SCHEME } from '../../core/contract/token.ts';
import * as parse from './parsers.ts';

/** One setting: its flag if it has one, its default and its parser. Its name is its key in files. */
export interface Setting<T> {
  /** As `--help` shows it, with the short form first when there is one; null when no flag gives it. */
  readonly flag: string | null;
  /** Text of the default; null when there is none and a command that needs the setting asks for it. */
  readonly default: string | null;
  /** The default in words, when its text alone would mislead. */
  readonly defaultSays?: string;
  /** Heading of the flag in `--help`. */
  readonly group: 'Platform' | 'Pace' | 'Output';
  readonly parse: parse.SettingParser<T>;
  /** `path`: relative to the folder of the file that gives it, or to the current folder; `~/` is the home folder. */
  readonly kind: 'value' | 'path';
  /** Description for `--help` and docs/settings.md. */
  readonly says: string;
}

/** Every setting, in the order of docs/settings.md. */
export const SETTINGS = {
  baseUrl: setting(parse.baseUrl, {
    flag: '--base-url <url>',
    says: 'address of the platform; https, unless it is this machine',
  }),
  supplier: setting(parse.plainText, { flag: '--supplier <code>', says: 'code of the import supplier' }),
  contract: setting(parse.plainText, {
    flag: '--contract <file>',
    kind: 'path',
    says: "contract of the operator, which `contract import` makes of the operator's OpenAPI document",
  }),
  apiKeyFile: setting(parse.plainText, {
    kind: 'path',
    says: 'file with the API key; refused when other users may read it',
  }),
  apiKeyCommand: setting(parse.plainText, { says: 'shell command that prints the API key' }),
  caFile: setting(parse.plainText, {
    flag: '--ca-file <file>',
    kind: 'path',
    says: 'PEM file with certificates of further authorities to trust',
  }),
  batchSize: setting(parse.count({ max: 10_000 }), {
    group: 'Pace',
    flag: '--batch-size <n>',
    default: '100',
    says: 'most records in one request',
  }),
  concurrency: setting(parse.count({ max: 256 }), {
    group: 'Pace',
    flag: '-j, --concurrency <n>',
    default: '16',
    defaultSays: '16 at first, growing to 64',
    says: 'most accounts in flight at the same time; `-j 16` stays at 16',
  }),
  rateLimit: setting(parse.rate, {
    group: 'Pace',
    flag: '--rate-limit <n/s>',
    says: 'most requests with records per second (or per minute: 30/m); shards share it, so each of n sends an n-th',
  }),
  retryFor: setting(parse.duration, {
    group: 'Pace',
    flag: '--retry-for <duration>',
    default: '15m',
    says: 'how long a request is tried again before the run ends as unfinished',
  }),
  timeout: setting(parse.duration, {
    group: 'Pace',
    flag: '--timeout <duration>',
    default: '120s',
    says: 'longest time one request may take',
  }),
  runDir: setting(parse.plainText, {
    group: 'Output',
    flag: '--run-dir <dir>',
    default: '.dataimport/journal',
    kind: 'path',
    says: 'folder of the journals',
  }),
  allowNetworkDisk: setting(parse.yesOrNo, {
    default: 'no',
    says: '`yes` accepts a --run-dir on a network file system; only for a folder that no other machine opens',
  }),
  earliestDate: setting(parse.calendarDate, {
    default: '1970-01-01',
    says: 'first plausible day of a date in a file; earlier dates are errors',
  }),
  tokenUrl: setting(parse.tokenUrl, {
    says: "address of the operator's authorisation server, which gives a token by OAuth for clientId; the API key is the secret of the client",
  }),
  clientId: setting(parse.plainText, { says: 'name of the client at tokenUrl' }),
  tokenScope: setting(parse.plainText, {
    says: 'scope of the token that tokenUrl gives, where the operator names one',
  }),
  tokenPath: setting(parse.urlPath, {
    default: DEFAULT_TOKEN_MUTATION.path,
    says: 'path of the GraphQL endpoint that gives a token for the API key',
  }),
  tokenMutation: setting(parse.identifier, {
    default: DEFAULT_TOKEN_MUTATION.mutation,
    says: 'name of the mutation that gives a token',
  }),
  tokenInputField: setting(parse.identifier, {
    default: DEFAULT_TOKEN_MUTATION.inputField,
    says: 'field of the mutation for the API key',
  }),
  authScheme: setting(parse.schemeWord, {
    default: TOKEN_SCHEME,
    defaultSays: `${TOKEN_SCHEME}, with tokenUrl Bearer`,
    says: 'word before the token in the header Authorization; `none` sends the token alone',
  }),
  accountNumberField: setting(parse.identifier, {
    default: DEFAULT_ACCOUNT_NUMBER_FIELD,
    says: 'name of the account number in answers of the platform',
  }),
  existingStatuses: setting(parse.wordList, {
    says: 'statuses of an account that exists while its switch of supply is open or refused, such as PENDING,IN_PROGRESS,REJECTED',
  }),
  timeZone: setting(parse.timeZone, {
    default: 'UTC',
    says: 'time zone of the calendar days of the platform',
  }),
} as const;

export type SettingName = keyof typeof SETTINGS;

export type SettingValue<K extends SettingName> = (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The environment variable: `baseUrl` → `DATAIMPORT_BASE_URL`. */
export function variableOf(name: SettingName): string {
  return `DATAIMPORT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** The flag alone: `-j, --concurrency <n>` → `--concurrency`. */
export function longFlag(name: SettingName): string | undefined {
  return /--[a-z-]+/.exec(SETTINGS[name].flag ?? '')?.[0];
}

type Details = Pick<Setting<unknown>, 'says'> & Partial<Setting<unknown>>;

function setting<T>(parser: parse.SettingParser<T>, details: Details): Setting<T> {
  return { flag: null, default: null, kind: 'value', group: 'Platform', ...details, parse: parser };
}
