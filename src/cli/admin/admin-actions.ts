import { AppError } from '../../core/app-error.ts';
import { accountFields } from '../../core/contract/account.ts';
import type { CheckFailure } from '../../core/contract/field.ts';
import { RECORD_KINDS } from '../../core/contract/resources.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { wholeSeconds, type SettingParser } from '../settings/parsers.ts';
import type { AdminName } from './admin-titles.ts';
import type { AdminCall } from '../client/local-admin.ts';

/** Arguments and flags by name. */
export interface AdminOptions {
  readonly [name: string]: string | readonly string[] | number | boolean | undefined;
}

/** `supplier`: that of the settings. @throws AppError `setting_missing` */
type Call = (options: AdminOptions, supplier: () => string) => AdminCall;

/** One command of `dataimport admin`: its arguments and flags, and its request to the server. */
export interface AdminAction {
  /** An example, without the name of the command. */
  readonly example: string;
  /** `<argument>`, `[argument]` or `--flag <value>` → description. */
  readonly takes: Readonly<Record<string, string>>;
  /** Parsers of arguments and flags that are no texts. */
  readonly parsers?: Readonly<Record<string, SettingParser<unknown>>>;
  readonly call: Call;
}

const get = (path: string): AdminCall => ({ method: 'GET', path });
const put = (path: string, body: object): AdminCall => ({ method: 'PUT', path, body });
const post = (path: string, body: object = {}): AdminCall => ({ method: 'POST', path, body });

/** A command without arguments and flags. */
const plain = (call: Call): AdminAction => ({ example: '', takes: {}, call });

const ACCOUNT = { '<account>': 'external account number' };

function accountPath({ account }: AdminOptions, supplier: () => string): string {
  return `accounts/${segment(supplier())}/${segment(accountNumber(account))}`;
}

function accountState(state: string): AdminAction {
  return {
    example: '1002 --supplier ACME',
    takes: ACCOUNT,
    call: (options, supplier) => put(accountPath(options, supplier), { state }),
  };
}

function snapshot(method: AdminCall['method'], rest = ''): AdminAction {
  return {
    example: 'before-push',
    takes: { '<name>': 'name of the snapshot' },
    call: ({ name }) => ({ method, path: `snapshots/${segment(name)}${rest}`, body: {} }),
  };
}

export const ADMIN_ACTIONS: Readonly<Record<AdminName, AdminAction>> = {
  'admin supplier': {
    example: 'ACME --status Paused',
    takes: {
      '[code]': 'code of the supplier',
      '--status <status>': 'new status: Ongoing, Paused or Complete',
    },
    call({ code, status }) {
      const reason = 'give a supplier and its --status together';
      if ((code === undefined) !== (status === undefined))
        throw new AppError('usage', { reason, command: 'admin supplier' });
      return code === undefined ? get('suppliers') : put(`suppliers/${segment(code)}`, { status });
    },
  },
  'admin account list': {
    example: '--state staged',
    takes: {
      '--state <state>': 'only accounts in this state: staged, in_progress, imported or failed',
      '--after <next>': 'continue after the end of the previous list',
    },
    call: ({ state, after }) => get(`accounts${query({ state, after })}`),
  },
  'admin account show': {
    example: '1001 --supplier ACME --json',
    takes: ACCOUNT,
    call: (options, supplier) => get(accountPath(options, supplier)),
  },
  'admin account stage': {
    example: '1002 --supplier ACME',
    takes: {
      ...ACCOUNT,
      '--open-from <date>': 'first day of its open statement',
      '--open-to <date>': 'last day of its open statement',
    },
    call(options, supplier) {
      const { openFrom: from, openTo: to } = options;
      const open = from === undefined && to === undefined ? {} : { open_statement: { from, to } };
      return put(accountPath(options, supplier), { state: 'staged', ...open });
    },
  },
  'admin account start': accountState('in_progress'),
  'admin account import': accountState('imported'),
  'admin account fail': accountState('failed'),
  'admin reset': plain(() => post('reset')),
  'admin faults': plain(() => get('faults')),
  'admin faults list': plain(() => get('faults')),
  'admin faults add': {
    example: "'transactions after-commit reset nth=3'",
    takes: {
      '<rule...>': 'which requests, when, what happens and how often; docs/serve-reference.md, "Faults"',
    },
    call: ({ rule }) => post('faults', { rules: rule }),
  },
  'admin faults clear': plain(() => ({ method: 'DELETE', path: 'faults' })),
  'admin clock': plain(() => get('clock')),
  'admin clock freeze': plain(() => post('clock/freeze')),
  'admin clock set': {
    example: '2026-10-25T00:30:00Z',
    takes: { '<instant>': 'such as 2026-10-25T00:30:00Z' },
    call: ({ instant }) => post('clock/set', { now: instant }),
  },
  'admin clock advance': {
    example: '2h',
    takes: { '<duration>': 'such as 90s, 15m or 2h' },
    parsers: { '<duration>': wholeSeconds },
    call: ({ duration: seconds }) => post('clock/advance', { seconds }),
  },
  'admin clock resume': plain(() => post('clock/resume')),
  'admin snapshot list': plain(() => get('snapshots')),
  'admin snapshot save': snapshot('PUT'),
  'admin snapshot restore': snapshot('POST', '/restore'),
  'admin snapshot delete': snapshot('DELETE'),
  'admin ledger': {
    example: '--totals',
    takes: {
      '--totals': 'sums by account and type, duplicates and conflicting replays',
      '--kind <kind>': `only records of this kind: ${RECORD_KINDS.slice(0, -1).join(', ')} or ${RECORD_KINDS.at(-1)}`,
      '--account <number>': 'only records of this external account number',
    },
    call: ({ totals, kind, account }) =>
      get(`ledger${totals ? '/totals' : ''}${query({ kind, external_account_number: account })}`),
  },
  'admin requests': {
    example: '--status 4xx',
    takes: {
      '--status <status>': 'only requests with this status: 404, 4xx, or none for a cut-off answer',
      '--path <path>': 'only requests whose path begins with this',
      '--since <instant>': 'only requests after this instant',
    },
    call: ({ status, path, since }) => get(`requests${query({ status, path, since })}`),
  },
};

/** In a path an impossible account number would look like a wrong address. @throws AppError `usage` */
function accountNumber(text: unknown): string {
  const parsed = accountFields.external_account_number.safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as readonly { params?: unknown }[];
  const { code, facts } = issue!.params as CheckFailure;
  const reason = `the account number ${sentenceOf(code, facts)}`;
  throw new AppError('usage', { reason, command: 'admin account' });
}

/** @throws AppError `usage` for `.` and `..`, which a URL resolves to another path */
function segment(text: unknown): string {
  if (text === '.' || text === '..')
    throw new AppError('usage', { reason: `nothing can be named '${text}'`, command: 'admin' });
  return encodeURIComponent(String(text));
}

function query(parameters: AdminOptions): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}
