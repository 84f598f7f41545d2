import { AppError } from '../../core/app-error.ts';
import { RECORD_KINDS } from '../../core/contract/resources.ts';
import { duration } from '../settings/parsers.ts';
import type { AdminCall } from '../client/local-admin.ts';

/** Arguments and flags by name. */
export interface AdminOptions {
  readonly [name: string]: string | readonly string[] | number | boolean | undefined;
}

/** One command of `dataimport admin`: its arguments and flags, and its request to the server. */
export interface AdminAction {
  /** An example, without the name of the command. */
  readonly example: string;
  /** `<argument>`, `[argument]` or `--flag <value>` → description. */
  readonly takes: Readonly<Record<string, string>>;
  /** The values of the argument `action`, the first of which is meant without one where it may be left out. */
  readonly actions?: readonly string[];
  /** `supplier`: that of the settings. @throws AppError `usage`, `setting_invalid` */
  readonly call: (options: AdminOptions, supplier: () => string) => AdminCall;
}

const get = (path: string): AdminCall => ({ method: 'GET', path });
const put = (path: string, body: object): AdminCall => ({ method: 'PUT', path, body });
const post = (path: string, body: object = {}): AdminCall => ({ method: 'POST', path, body });

const usage = (command: string, reason: string): AppError => new AppError('usage', { reason, command });

/** The state that each action gives an account. */
const STATES: Readonly<Record<string, string>> = {
  stage: 'staged',
  start: 'in_progress',
  import: 'imported',
  fail: 'failed',
};

export const ADMIN_ACTIONS = {
  'admin supplier': {
    example: 'ACME --status Paused',
    takes: {
      '[code]': 'code of the supplier',
      '--status <status>': 'new status: Ongoing, Paused or Complete',
    },
    call({ code, status }) {
      if ((code === undefined) !== (status === undefined))
        throw usage('admin supplier', 'give a supplier and its --status together');
      return code === undefined ? get('suppliers') : put(`suppliers/${segment(code)}`, { status });
    },
  },
  'admin accounts': {
    example: '--state staged',
    takes: {
      '--state <state>': 'only accounts in this state: staged, in_progress, imported or failed',
      '--after <next>': 'continue after the end of the previous list',
    },
    call: ({ state, after }) => get(`accounts${query({ state, after })}`),
  },
  'admin account': {
    example: 'import 1002 --supplier ACME',
    takes: {
      '<action>': 'what happens to the account; stage adds it, if it is new',
      '<account>': 'external account number',
    },
    actions: ['show', ...Object.keys(STATES)],
    call({ action, account }, supplier) {
      const path = `accounts/${segment(supplier())}/${segment(account)}`;
      return action === 'show' ? get(path) : put(path, { state: STATES[String(action)] });
    },
  },
  'admin reset': { example: '', takes: {}, call: () => post('reset') },
  'admin faults': {
    example: "add 'transactions after-commit reset nth=3'",
    takes: {
      '[action]': 'what to do with the faults',
      '[rule...]':
        'with add: which requests, when, what happens and how often (docs/serve-reference.md, "Faults")',
    },
    actions: ['show', 'add', 'clear'],
    call({ action, rule }) {
      const rules = rule as readonly string[];
      if ((action === 'add') !== rules.length > 0)
        throw usage('admin faults', 'add takes rules, and no other action does');
      if (action === 'add') return post('faults', { rules });
      return action === 'clear' ? { method: 'DELETE', path: 'faults' } : get('faults');
    },
  },
  'admin clock': {
    example: 'advance 2h',
    takes: {
      '[action]': 'what to do with the clock; resume returns to real time',
      '[time]':
        'with set: an instant such as 2026-10-25T00:30:00Z; with advance: a duration such as 90s, 15m or 2h',
    },
    actions: ['show', 'freeze', 'set', 'advance', 'resume'],
    call({ action, time }) {
      if ((action === 'set' || action === 'advance') !== (time !== undefined))
        throw usage(
          'admin clock',
          'set takes an instant, advance a duration, and no other action takes a time',
        );
      if (action === 'set') return post('clock/set', { now: time });
      if (action === 'advance') return post('clock/advance', { seconds: secondsOf(String(time)) });
      return action === 'show' ? get('clock') : post(`clock/${action as string}`);
    },
  },
  'admin snapshot': {
    example: 'save before-push',
    takes: { '[action]': 'what to do with the snapshots', '[name]': 'name of the snapshot' },
    actions: ['list', 'save', 'restore', 'delete'],
    call({ action, name }) {
      if ((action === 'list') !== (name === undefined))
        throw usage(
          'admin snapshot',
          'save, restore and delete take the name of a snapshot, and list takes none',
        );
      if (name === undefined) return get('snapshots');
      const path = `snapshots/${segment(name)}`;
      if (action === 'restore') return post(`${path}/restore`);
      return action === 'save' ? put(path, {}) : { method: 'DELETE', path };
    },
  },
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
    example: '--status refused',
    takes: {
      '--status <status>':
        'only these requests: refused, failed, fault, tolerated, or a status such as 404, 4xx or none',
      '--path <path>': 'only requests whose path begins with this',
      '--since <instant>': 'only requests after this instant',
    },
    call: ({ status, path, since }) => get(`requests${query({ status, path, since })}`),
  },
} satisfies Readonly<Record<string, AdminAction>>;

export type AdminName = keyof typeof ADMIN_ACTIONS;

/** @throws AppError `usage` */
function secondsOf(text: string): number {
  const parsed = duration(text);
  if ('value' in parsed && parsed.value % 1_000 === 0) return parsed.value / 1_000;
  throw usage('admin clock', 'the duration must be whole seconds from 1s to 596h, such as 90s, 15m or 2h');
}

/** @throws AppError `usage` for nothing, `.` and `..`, which a URL resolves to another path */
function segment(text: unknown): string {
  if (['', '.', '..'].includes(String(text)))
    throw new AppError('usage', { reason: `nothing can be named '${String(text)}'`, command: 'admin' });
  return encodeURIComponent(String(text));
}

function query(parameters: AdminOptions): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given.toString()}`;
}
