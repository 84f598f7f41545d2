import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { accountFields } from '../../core/contract/account.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import type { CheckFailure } from '../../core/contract/field.ts';
import { collect, flagValue } from '../flag-value.ts';
import type { AdminCall } from '../client/local-admin.ts';
import { wholeSeconds } from '../settings/reading.ts';
import { readText } from '../text-file.ts';
import type { AdminName } from './admin-titles.ts';

/** What was typed, and what stands around it. */
export interface AdminOptions {
  readonly [name: string]: string | readonly string[] | number | boolean | undefined;
}

export interface AdminWorld {
  /** The supplier of the settings. @throws AppError `setting_missing` */
  supplier(): string;
  readonly cwd: string;
}

/** One command of `dataimport admin`: what can be typed, and what is asked of the server. */
export interface AdminAction {
  declare?(command: Command): unknown;
  readonly example: string;
  call(options: AdminOptions, world: AdminWorld): AdminCall | Promise<AdminCall>;
}

const EMPTY = {};

const get = (path: string, example: string): AdminAction => ({
  example,
  call: () => ({ method: 'GET', path }),
});

const post = (path: string, example: string): AdminAction => ({
  example,
  call: () => ({ method: 'POST', path, body: EMPTY }),
});

const accountPath = ({ account }: AdminOptions, { supplier }: AdminWorld): string =>
  `accounts/${segment(supplier())}/${segment(accountNumber(account))}`;

const accountState = (verb: string, state: string): AdminAction => ({
  example: `dataimport admin account ${verb} 1002 --supplier ACME`,
  declare: (command) => command.argument('<account>', 'external account number'),
  call: (options, world) => ({ method: 'PUT', path: accountPath(options, world), body: { state } }),
});

const snapshot = (verb: string, method: AdminCall['method'], rest = ''): AdminAction => ({
  example: `dataimport admin snapshot ${verb} before-push`,
  declare: (command) => command.argument('<name>', 'name of the snapshot'),
  call: ({ name }) => ({ method, path: `snapshots/${segment(name)}${rest}`, body: EMPTY }),
});

/** Every command; those that only ask have no body. */
export const ADMIN_ACTIONS: Readonly<Record<AdminName, AdminAction>> = {
  'admin supplier': {
    example: 'dataimport admin supplier ACME --status Paused',
    declare: (command) =>
      command
        .argument('[code]', 'code of the supplier')
        .option('--status <status>', 'what it becomes: Ongoing, Paused or Complete'),
    call: ({ code, status }) => {
      if ((code === undefined) !== (status === undefined)) {
        throw new AppError('usage', {
          reason: 'a supplier and its --status belong together',
          command: 'admin supplier',
        });
      }
      if (code === undefined) return { method: 'GET', path: 'suppliers' };
      return { method: 'PUT', path: `suppliers/${segment(code)}`, body: { status } };
    },
  },
  'admin account list': {
    example: 'dataimport admin account list --state staged',
    declare: (command) =>
      command
        .option('--state <state>', 'only those that are staged, in_progress, imported or failed')
        .option('--after <next>', 'go on where the list before ended'),
    call: ({ state, after }) => ({ method: 'GET', path: `accounts${query({ state, after })}` }),
  },
  'admin account show': {
    example: 'dataimport admin account show 1001 --supplier ACME --json',
    declare: (command) => command.argument('<account>', 'external account number'),
    call: (options, world) => ({ method: 'GET', path: accountPath(options, world) }),
  },
  'admin account stage': {
    ...accountState('stage', 'staged'),
    declare: (command) =>
      command
        .argument('<account>', 'external account number')
        .option('--open-from <date>', 'first day of its open statement')
        .option('--open-to <date>', 'last day of its open statement'),
    call: (options, world) => {
      const { openFrom: from, openTo: to } = options;
      const open = from === undefined && to === undefined ? {} : { open_statement: { from, to } };
      return { method: 'PUT', path: accountPath(options, world), body: { state: 'staged', ...open } };
    },
  },
  'admin account start': accountState('start', 'in_progress'),
  'admin account import': accountState('import', 'imported'),
  'admin account fail': accountState('fail', 'failed'),
  'admin reset': post('reset', 'dataimport admin reset'),
  'admin faults': get('faults', 'dataimport admin faults'),
  'admin faults list': get('faults', 'dataimport admin faults list'),
  'admin faults add': {
    example: "dataimport admin faults add 'transactions after-commit reset nth=3'",
    declare: (command) =>
      command.argument(
        '<rule...>',
        'which requests, when, what happens and how often; docs/serve.md, "Faults"',
        (text, before?: readonly string[]) => collect(text, before),
      ),
    call: ({ rule }) => ({ method: 'POST', path: 'faults', body: { rules: rule } }),
  },
  'admin faults file': {
    example: 'dataimport admin faults file faults.yaml',
    declare: (command) => command.argument('<file>', 'a plan in YAML or JSON'),
    call: async ({ file }, { cwd }) => {
      const { faultPlanIn } = await import('./serve/fault-plan.ts');
      return { method: 'PUT', path: 'faults', body: await faultPlanIn(resolve(cwd, String(file))) };
    },
  },
  'admin faults clear': {
    example: 'dataimport admin faults clear',
    call: () => ({ method: 'DELETE', path: 'faults' }),
  },
  'admin clock': get('clock', 'dataimport admin clock'),
  'admin clock freeze': post('clock/freeze', 'dataimport admin clock freeze'),
  'admin clock set': {
    example: 'dataimport admin clock set 2026-10-25T00:30:00Z',
    declare: (command) => command.argument('<instant>', 'such as 2026-10-25T00:30:00Z'),
    call: ({ instant }) => ({ method: 'POST', path: 'clock/set', body: { now: instant } }),
  },
  'admin clock advance': {
    example: 'dataimport admin clock advance 2h',
    declare: (command) => command.argument('<duration>', 'such as 90s, 15m or 2h', flagValue(wholeSeconds)),
    call: ({ duration: seconds }) => ({ method: 'POST', path: 'clock/advance', body: { seconds } }),
  },
  'admin clock resume': post('clock/resume', 'dataimport admin clock resume'),
  'admin snapshot list': get('snapshots', 'dataimport admin snapshot list'),
  'admin snapshot save': snapshot('save', 'PUT'),
  'admin snapshot restore': snapshot('restore', 'POST', '/restore'),
  'admin snapshot delete': snapshot('delete', 'DELETE'),
  'admin ledger': {
    example: 'dataimport admin ledger --totals',
    declare: (command) =>
      command
        .option('--totals', 'sums by account and type, duplicates and conflicting replays', false)
        .option('--kind <kind>', 'only note, transaction, statement or payment_instruction')
        .option('--account <number>', 'only one external account number'),
    call: ({ totals, kind, account }) => ({
      method: 'GET',
      path: `ledger${totals ? '/totals' : ''}${query({ kind, external_account_number: account })}`,
    }),
  },
  'admin requests': {
    example: 'dataimport admin requests --status 4xx',
    declare: (command) =>
      command
        .option('--status <status>', 'only those answered with it: 404, 4xx, or none for a cut answer')
        .option('--path <path>', 'only those whose path begins with it')
        .option('--since <instant>', 'only later ones'),
    call: ({ status, path, since }) => ({ method: 'GET', path: `requests${query({ status, path, since })}` }),
  },
  'admin state export': {
    ...get('state', 'dataimport admin state export rehearsal.ndjson'),
    declare: (command) => command.argument('<file>', 'file to write'),
  },
  'admin state import': {
    example: 'dataimport admin state import rehearsal.ndjson',
    declare: (command) => command.argument('<file>', 'file that `admin state export` wrote'),
    call: ({ file }, { cwd }) => ({ method: 'PUT', path: 'state', body: readText(String(file), cwd) }),
  },
  'admin parity': get('parity', 'dataimport admin parity'),
};

/** What no account can have would look, in the path, like an address that is wrong. @throws AppError `usage` */
function accountNumber(text: unknown): string {
  const parsed = accountFields.external_account_number.safeParse(text);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as readonly { readonly params?: unknown }[];
  const { code, facts } = issue!.params as CheckFailure;
  const reason = `the account number ${sentenceOf(code, facts)}`;
  throw new AppError('usage', { reason, command: 'admin account' });
}

/** @throws AppError `usage` for what would lead to another place: an address has no way to write it */
function segment(text: unknown): string {
  if (text === '.' || text === '..')
    throw new AppError('usage', { reason: `nothing can be named '${text}'`, command: 'admin' });
  return encodeURIComponent(String(text));
}

/** Those parameters that were given. */
function query(parameters: AdminOptions): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}
