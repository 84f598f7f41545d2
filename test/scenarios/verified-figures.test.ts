import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { typed } from '../support/next-command.ts';
import { HEADER, IMPORTED, SEED } from '../support/refused-account.ts';
import { verified } from '../support/verified.ts';

/** How a row stands, and the words of the sentence for it. The states without words have arrived. */
const STATES = {
  created: '',
  existing: '',
  uncompared: '',
  confirmed: '',
  rejected: 'refused by the platform',
  invalid: 'invalid in the file',
  not_sent: 'not sent',
  unknown: 'without an answer',
  verify: 'to be compared by hand',
  changed: 'there with other values',
  filtered: '',
} as const;
type State = keyof typeof STATES;

const PROOFS = {
  confirmed: 'confirmed by hand',
  uncompared: 'accepted as there without having been compared',
  existing: 'there already by answers that may only repeat what was sent',
} as const;

interface Content {
  readonly cents: number;
  readonly type?: string;
  readonly account?: string;
}

/** `was`: the content that the first version of the file had; null for a row that is new. */
interface Row extends Content {
  readonly state: State;
  readonly was?: Content | null;
}

/** Transactions have types, and statements, which count in minor units, have none. */
const KINDS = {
  transactions: {
    header: HEADER,
    line: ({ account = '1001', type = 'CREDIT', cents }: Content, index: number) =>
      `ACME,${account},t-${index},2026-02-01,${type},${(cents / 100).toFixed(2)}`,
  },
  statements: {
    header:
      'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,gross_amount',
    line: ({ account = '1001', cents }: Content, index: number) =>
      `ACME,${account},s-${index},2025-0${index + 1}-01,2025-0${index + 1}-28,${cents}`,
  },
};
type Kind = keyof typeof KINDS;

interface Sending {
  readonly site: Migration;
  push(...flags: readonly string[]): Promise<unknown>;
}

interface Case {
  readonly rows: readonly Row[];
  readonly of?: Kind;
  readonly seed?: string;
  /** Sends the first version of the file. */
  readonly send?: (sending: Sending) => Promise<unknown>;
  readonly flags?: readonly string[];
}

const created = (cents: number, type?: string): Row => ({ state: 'created', cents, ...(type && { type }) });
const lost = async ({ site, push }: Sending): Promise<void> => {
  await site.faults('statements after-commit reset nth=2');
  await push();
  await site.faults();
};

const CASES: Readonly<Record<string, Case>> = {
  created: { rows: [created(1010), created(29, 'PAYMENT'), created(1)] },
  'there before': {
    rows: [1010, 29].map((cents) => ({ state: 'existing', cents })),
    send: async ({ push }) => [await push('--run-dir', 'elsewhere'), await push()],
  },
  'accepted as there': {
    of: 'statements',
    rows: [1010, 29].map((cents) => ({ state: 'uncompared', cents })),
    send: async ({ push }) => [await push('--run-dir', 'elsewhere'), await push('--on-existing', 'accept')],
  },
  'to be compared': { of: 'statements', rows: [created(1010), { state: 'verify', cents: 29 }], send: lost },
  'confirmed by a person': {
    of: 'statements',
    rows: [created(1010), { state: 'confirmed', cents: 29 }],
    send: async (sending) => {
      await lost(sending);
      await sending.site.cli('runs', 'confirm', '--arrived', '--by', 'A. Lead');
    },
  },
  'called missing by a person': {
    of: 'statements',
    rows: [created(1010), { state: 'not_sent', cents: 29 }],
    send: async (sending) => {
      await lost(sending);
      await sending.site.cli('runs', 'confirm', '--missing', '--by', 'A. Lead');
    },
  },
  refused: { seed: SEED, rows: [created(1010), { state: 'rejected', account: '1003', cents: 29 }] },
  'without an answer': {
    of: 'statements',
    rows: [created(1010), { state: 'unknown', account: '1003', cents: 29 }],
    send: async ({ site, push }) => {
      await site.faults('statements before-commit status=500 account=1003');
      await push('--retry-for', '1s');
    },
  },
  new: { rows: [created(1010), { state: 'not_sent', cents: 29, type: 'PAYMENT', was: null }] },
  'all new, and another file was sent': {
    rows: [{ state: 'not_sent', cents: 29, was: null }],
    send: async ({ site }) => {
      site.csv('other.csv', HEADER, KINDS.transactions.line({ cents: 5 }, 9));
      await site.cli('push', 'transactions', 'other.csv');
    },
  },
  invalid: { rows: [created(1010), { state: 'invalid', type: 'CREDITS', cents: 29 }] },
  'there with other amounts': {
    rows: [
      created(1010),
      { state: 'changed', cents: 250, was: { cents: 210 } },
      { state: 'changed', cents: 1, was: { cents: 1000 } },
    ],
  },
  'there with another type': {
    rows: [created(1010, 'PAYMENT'), { state: 'changed', cents: 250, type: 'PAYMENT', was: { cents: 210 } }],
  },
  'there on another account': {
    rows: [created(1010), { state: 'changed', account: '1003', cents: 250, was: { cents: 250 } }],
  },
  'left out': {
    rows: [created(1010), { state: 'filtered', cents: 29 }],
    send: ({ push }) => push('--max-records', '1'),
    flags: ['--max-records', '1'],
  },
  'all of these at once': {
    seed: SEED,
    rows: [
      created(1010),
      created(333, 'PAYMENT'),
      { state: 'rejected', account: '1003', cents: 29 },
      { state: 'invalid', type: 'CREDITS', cents: 7 },
      { state: 'changed', cents: 250, was: { cents: 251 } },
      { state: 'changed', cents: 11, type: 'PAYMENT', was: { cents: 13 } },
      { state: 'changed', account: '1003', cents: 17, was: { cents: 17 } },
      { state: 'not_sent', cents: 23, was: null },
    ],
  },
};

const isArrived = (state: State): boolean => STATES[state] === '' && state !== 'filtered';

/** The sums in cents, by type: what rows have, and what the platform has of them. */
function sumsOf(rows: readonly Row[], kind: Kind): Readonly<Record<string, readonly [number, number]>> {
  const sums: Record<string, [number, number]> = {};
  const add = ({ type = 'CREDIT', cents }: Content, at: 0 | 1): void => {
    (sums[kind === 'transactions' ? type : 'null'] ??= [0, 0])[at] += cents;
  };
  for (const row of rows) {
    if (row.state === 'invalid' || row.state === 'filtered') continue;
    add(row, 0);
    if (isArrived(row.state)) add(row, 1);
  }
  return sums;
}

function truthOf(rows: readonly Row[]) {
  const count = (state: State): number => rows.filter((row) => row.state === state).length;
  const records = rows.length - count('filtered');
  const missing = rows.filter(({ state }) => STATES[state] !== '').length;
  const all = `${records} record${records === 1 ? '' : 's'}`;
  const named = (words: Readonly<Partial<Record<State, string>>>): readonly string[] =>
    Object.entries(words).flatMap(([state, word]) =>
      word === '' || count(state as State) === 0 ? [] : [`${count(state as State)} ${word}`],
    );
  const proofs = named(PROOFS);
  const waiting = count('not_sent') + count('unknown') > 0;
  const ends = Object.keys(STATES).map((state) => [state, count(state as State)]);
  const { changed, ...counts } = Object.fromEntries(ends) as Record<State, number>;
  return {
    exit: waiting ? 5 : missing > 0 ? 6 : 0,
    sentence:
      missing > 0
        ? `Not everything arrived: ${missing} of ${all} did not (${named(STATES).join(', ')}).`
        : `Everything arrived: ${records} of ${all}${proofs.length > 0 ? `, of which ${proofs.join(' and ')}` : ''}.`,
    rows: { ...counts, read: rows.length, sent_before: 0, invalid: counts.invalid + changed },
    changed,
    line: [records, records - missing, missing],
  };
}

const centsOf = (text: string | null): number => Math.round(Number(text!.replaceAll(',', '')) * 100);

/** The cells of the table of what arrived, by the first of each line. */
function overviewOf(page: string): Readonly<Record<string, readonly string[]>> {
  const [table] = /<tbody>.*?<\/tbody>/s.exec(page.slice(page.indexOf('What arrived')))!;
  return Object.fromEntries(
    table.split('<tr>').map((line) => {
      const [head = '', ...cells] = [...line.matchAll(/<t[hd][^>]*>([^<]*)</g)].map(([, text]) => text!);
      return [head.replace('– ', ''), cells];
    }),
  );
}

test.each(Object.entries(CASES))('the figures of rows that are %s', async (_, each) => {
  const { rows, of: kind = 'transactions', seed = IMPORTED, flags = [] } = each;
  const { header, line } = KINDS[kind];
  const site = await migration(seed);
  const first = rows.flatMap((row, index) => (row.was === null ? [] : [line(row.was ?? row, index)]));
  const push = [
    'push',
    kind,
    'f.csv',
    '-j',
    '1',
    '--batch-size',
    '1',
    '--skip-invalid',
    '--on-reject',
    'skip',
  ];
  site.csv('f.csv', header, ...first);
  const send = each.send ?? (({ push }: Sending) => push());
  await send({ site, push: (...more) => site.cliIn({ chance: 0.5, maxWaits: 9 }, ...push, ...more) });
  site.csv('f.csv', header, ...rows.map(line));

  const { exitCode, found } = await verified(site, kind, 'f.csv', ...flags, '--html', 'p.html');
  const page = readFileSync(join(site.cwd, 'p.html'), 'utf8');
  const [part] = found.parts;
  const truth = truthOf(rows);
  const sums = sumsOf(rows, kind);
  expect([exitCode, found.answer.sentence]).toEqual([truth.exit, truth.sentence]);
  expect([found.rows, part!.rows, part!.changed]).toEqual([truth.rows, truth.rows, truth.changed]);
  expect(found.answer.everything_arrived).toBe(truth.exit === 0);
  const unit = kind === 'transactions' ? 100 : 1;
  expect(
    Object.fromEntries(
      part!.control_totals.map(({ type, read, accepted }) => [
        String(type),
        [read, accepted].map((sum) => Math.round(Number(sum) * unit)),
      ]),
    ),
  ).toEqual(sums);
  // The page has the same, with what is missing.
  expect(page).toContain(truth.sentence);
  const { [`${kind} (f.csv)`]: total, ...types } = overviewOf(page);
  expect(total!.slice(0, 3)).toEqual(truth.line.map(String));
  const shown = kind === 'statements' ? { null: total! } : types;
  for (const [type, [read, arrived]] of Object.entries(sums))
    expect([type, ...shown[type]!.slice(3).map(centsOf)]).toEqual([type, read, arrived, read - arrived]);
  // Whatever is left to do by a command can be typed.
  if (truth.exit === 5) expect(found.next).toMatch(/^dataimport push /);
});

test.each([
  ['another amount', '9.00', '1001'],
  ['another account', '1.10', '1003'],
])(
  'the next command of a row that has %s since it arrived leads to the list of such rows',
  async (_, ...row) => {
    const site = await migration(IMPORTED);
    const [amount, account] = row;
    site.csv('t.csv', HEADER, 'ACME,1001,t-1,2026-02-01,CREDIT,1.10');
    await site.cli('push', 'transactions', 't.csv');
    site.csv('t.csv', HEADER, `ACME,${account},t-1,2026-02-01,CREDIT,${amount}`);
    let printed = '';
    for (let commands = 0; commands < 3 && !printed.includes('runs confirm'); commands++)
      printed = (await site.cli(...typed((await verified(site)).found.next))).stdout;
    expect(printed).toContain('unresolved: 1 row in ');
  },
);
