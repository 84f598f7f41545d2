import { expect, test } from 'vitest';
import type { Reading } from '../../../src/cli/journal/reading.ts';
import type { Resource } from '../../../src/core/contract/resources.ts';
import { FakePlatform, type Fault } from '../../support/fake-platform.ts';
import { csvOf, NOW, row } from '../../support/push-staged-run.ts';
import { RefusingPlatform } from '../../support/refusing-platform.ts';
import { Versions, type VersionOptions } from '../../support/versions.ts';

/** The cell that makes another content of a row. */
const OTHER: Readonly<Partial<Record<Resource, Readonly<Record<string, string>>>>> = {
  transactions: { amount: '20.2' },
  statements: { gross_amount: '2020' },
  'payment-instructions': { type: 'DIRECT_DEBIT' },
};

/** Text of a file with rows `ACCOUNT:ID`, or `ACCOUNT:ID!` for one with other content. */
function fileOf(resource: Resource, rows: string): string {
  return csvOf(
    rows.split(' ').map((word) => {
      const [account, id] = word.replace('!', '').split(':') as [string, string];
      return { ...row[resource](account, id), ...(word.endsWith('!') && OTHER[resource]) };
    }),
  );
}

/** What the first command leaves of the row A:1. The row Z:9 arrives with it. */
interface State {
  readonly resource?: Resource;
  readonly faults?: Readonly<Record<string, Fault>>;
  /** Whether the platform refuses the record, until the second command. */
  readonly isRefused?: boolean;
  readonly first?: Partial<VersionOptions>;
  /** Whether a person types the same command once more, and it ends before its first request. */
  readonly diesAgain?: boolean;
  /** What a person does then. */
  readonly after?: (reading: Reading) => void;
}

const ONE_TRY = { drain: { retryForMs: 0 } };
const UNPROVEN: State = { resource: 'statements', faults: { 'A#1': { kind: 'lost', applied: true } } };
const confirmed =
  (verdict: 'arrived' | 'missing') =>
  ({ confirming }: Reading): void =>
    confirming.confirm([1], { verdict, by: 'Jo', now: NOW });

const STATES = {
  'not sent': { first: { dies: true } },
  arrived: {},
  unproven: UNPROVEN,
  'confirmed as there': { ...UNPROVEN, after: confirmed('arrived') },
  refused: { isRefused: true },
  'refused, and its text forgotten': { isRefused: true, after: (reading) => reading.erasePayloads() },
  'refused, and planned again': { isRefused: true, diesAgain: true },
  'refused for good': { resource: 'payment-instructions', isRefused: true },
  'in doubt, and there': { faults: { 'A#1': { kind: 'lost', applied: true } }, first: ONE_TRY },
  'in doubt, and not there': { faults: { 'A#1': { kind: 'lost', applied: false } }, first: ONE_TRY },
} satisfies Readonly<Record<string, State>>;

/** The rows of the file of the second command, and the place of another file. */
const CHANGES = {
  'the same row': ['A:1 Z:9'],
  'other content': ['A:1! Z:9'],
  'no row': ['Z:9'],
  'another account': ['B:1 Z:9'],
  'another file': ['A:1', '/in/b.csv'],
  'other content in another file': ['A:1!', '/in/b.csv'],
  'lines that end with CRLF': ['A:1 Z:9'],
} as const;

/** State of the record · change of its row · what the second command sends · how the rows of its file end. */
const TABLE = `
not sent                        | the same row                  | A Z | created created
not sent                        | other content                 | A! Z | created created
not sent                        | no row                        | Z   | created
not sent                        | another account               | B Z | created created
not sent                        | another file                  | A   | created
not sent                        | other content in another file | A!  | created
not sent                        | lines that end with CRLF      | A Z | created created
arrived                         | the same row                  |     | created created
arrived                         | other content                 |     | record_changed created
arrived                         | no row                        |     | created, and line 2 has vanished
arrived                         | another account               |     | record_moved created
arrived                         | another file                  |     | created
arrived                         | other content in another file |     | record_changed
arrived                         | lines that end with CRLF      |     | created created
unproven                        | the same row                  |     | verify created
unproven                        | other content                 |     | verify created
unproven                        | no row                        |     | created, and line 2 has vanished
unproven                        | another account               |     | record_moved created
unproven                        | another file                  |     | verify
unproven                        | other content in another file |     | verify
unproven                        | lines that end with CRLF      |     | verify created
confirmed as there              | the same row                  |     | confirmed created
confirmed as there              | other content                 |     | record_changed created
confirmed as there              | no row                        |     | created, and line 2 has vanished
confirmed as there              | another account               |     | record_moved created
confirmed as there              | another file                  |     | confirmed
confirmed as there              | other content in another file |     | record_changed
confirmed as there              | lines that end with CRLF      |     | confirmed created
refused                         | the same row                  | A   | created created
refused                         | other content                 | A!  | created created
refused                         | no row                        |     | created
refused                         | another account               | B   | created created
refused                         | another file                  | A   | created
refused                         | other content in another file | A!  | created
refused                         | lines that end with CRLF      | A   | created created
refused, and its text forgotten | the same row                  | A   | created created
refused, and its text forgotten | other content                 | A!  | created created
refused, and its text forgotten | no row                        |     | created
refused, and its text forgotten | another account               | B   | created created
refused, and its text forgotten | another file                  | A   | created
refused, and its text forgotten | other content in another file | A!  | created
refused, and its text forgotten | lines that end with CRLF      | A   | created created
refused, and planned again      | the same row                  | A   | created created
refused, and planned again      | other content                 | A!  | created created
refused, and planned again      | no row                        |     | created
refused, and planned again      | another account               | B   | created created
refused, and planned again      | another file                  | A   | created
refused, and planned again      | other content in another file | A!  | created
refused, and planned again      | lines that end with CRLF      | A   | created created
refused for good                | the same row                  |     | rejected created
refused for good                | other content                 | A!  | created created
refused for good                | no row                        |     | created
refused for good                | another account               | B   | created created
refused for good                | another file                  |     | rejected
refused for good                | other content in another file | A!  | created
refused for good                | lines that end with CRLF      |     | rejected created
in doubt, and there             | the same row                  | A   | existing created
in doubt, and there             | other content                 | A   | record_changed created
in doubt, and there             | no row                        |     | created, and line 2 has vanished
in doubt, and there             | another account               |     | record_moved created
in doubt, and there             | another file                  | A   | existing
in doubt, and there             | other content in another file | A   | record_changed
in doubt, and there             | lines that end with CRLF      | A   | existing created
in doubt, and not there         | the same row                  | A   | created created
in doubt, and not there         | other content                 | A   | record_changed created
in doubt, and not there         | no row                        |     | created, and line 2 has vanished
in doubt, and not there         | another account               |     | record_moved created
in doubt, and not there         | another file                  | A   | created
in doubt, and not there         | other content in another file | A   | record_changed
in doubt, and not there         | lines that end with CRLF      | A   | created created`;

const cases = TABLE.trim()
  .split('\n')
  .map(
    (line) =>
      line.split('|').map((cell) => cell.trim()) as [
        keyof typeof STATES,
        keyof typeof CHANGES,
        string,
        string,
      ],
  );

test.each(cases)('a record that is %s, and then has %s: sends "%s"', async (state, change, sends, ends) => {
  const { resource = 'transactions', faults, isRefused, first, diesAgain, after }: State = STATES[state];
  const platform = isRefused ? new RefusingPlatform(resource, ['1']) : new FakePlatform(resource, faults);
  const versions = new Versions(resource, platform);
  await versions.send(fileOf(resource, 'A:1 Z:9'), { ...first, ...(after && { after }) });
  if (diesAgain) await versions.send(fileOf(resource, 'A:1 Z:9'), { dies: true });
  if (platform instanceof RefusingPlatform) platform.refused.clear();
  const before = platform.received.length;
  const [rows, place = '/in/a.csv'] = CHANGES[change];
  const file = fileOf(resource, rows);
  const text = change === 'lines that end with CRLF' ? file.replaceAll('\n', '\r\n') : file;
  const second = await versions.send(text, { place });
  const isOther = (body: string): boolean =>
    Object.values(OTHER[resource]!).some((cell) => body.includes(cell));
  const sent = platform.received
    .slice(before)
    .map(({ account, body }) => account + (isOther(body) ? '!' : ''));
  const gone = second.vanished.map((line) => `, and line ${line} has vanished`).join('');
  expect([sent.toSorted().join(' '), second.ends.join(' ') + gone]).toEqual([sends, ends]);
  // Once more: everything that can be settled is.
  const third = await versions.send(text, { place });
  expect([platform.received.length - before - sent.length, third.ends]).toEqual([0, second.ends]);
});

test('every state of a record meets every change of its row', () => {
  expect(cases).toHaveLength(Object.keys(STATES).length * Object.keys(CHANGES).length);
  expect(new Set(cases.map(([state, change]) => `${state} ${change}`)).size).toBe(cases.length);
});

test.each([
  ['other line ends in its text', (text: string) => text.replace('Rang\n', 'Rang\r\n')],
  ['another Unicode normal form', (text: string) => text.normalize('NFD')],
  ['a no-break space at the end', (text: string) => text.replace('zurück', 'zurück\u00A0')],
  ['a no-break space in its text', (text: string) => text.replace('rief zurück', 'rief\u00A0zurück')],
])('a note that comes again with %s is not sent again', async (_, change) => {
  const platform = new FakePlatform('notes');
  const versions = new Versions('notes', platform);
  const text = csvOf([{ ...row.notes('A', '1'), body: 'Rang\nund rief zurück' }]);
  await versions.send(text);
  const again = await versions.send(change(text));
  expect([platform.requestsOf('A'), again.ends]).toEqual([1, ['created']]);
});

test('a row that a person confirms as missing is sent again', async () => {
  const platform = new FakePlatform('statements', { 'A#1': { kind: 'lost', applied: false } }, {});
  const versions = new Versions('statements', platform);
  const first = { ...ONE_TRY, after: confirmed('missing') };
  await versions.send('A:1', first);
  expect((await versions.send('A:1')).ends).toEqual(['created']);
  expect(platform.contents()).toEqual({ A: ['1'] });
});

test('`--again` sends every row, and the platform says what it has', async () => {
  const platform = new FakePlatform('transactions');
  const versions = new Versions('transactions', platform);
  await versions.send('A:1 A:2');
  const again = await versions.send('A:1 A:2', { again: true });
  expect(again.ends).toEqual(['existing', 'existing']);
  expect([platform.requestsOf('A'), platform.contents()]).toEqual([4, { A: ['1', '2'] }]);
});

test('`--again` asks the platform about rows that have changed or have another form', async () => {
  const platform = new FakePlatform('transactions');
  const versions = new Versions('transactions', platform);
  await versions.send('A:1 A:2');
  const changed = fileOf('transactions', 'A:1! A:2').replace('10.10', '10.1');
  const { ends } = await versions.send(changed, { again: true });
  expect([ends, platform.contents()]).toEqual([['existing', 'existing'], { A: ['1', '2'] }]);
});

test('rows that were never sent go with the next reading of their file, and those of other files stay', async () => {
  const platform = new FakePlatform('transactions');
  const versions = new Versions('transactions', platform);
  await versions.send('A:1 B:2', { dies: true });
  await versions.send('C:3', { dies: true, place: '/in/b.csv' });
  await versions.send('B:2');
  expect(platform.contents()).toEqual({ B: ['2'] });
  await versions.send('C:3', { place: '/in/b.csv' });
  expect(platform.contents()).toEqual({ B: ['2'], C: ['3'] });
});

test.each([
  ['arrived', {}, {}],
  ['may have arrived', UNPROVEN.faults, ONE_TRY],
])(
  'a statement that %s is unproven once --again sends other content, but not where the platform keeps both',
  async (_, faults, first) => {
    const contract = { name: 'O', sha256: '', fileSha256: '', saysDryRun: false, keepsSecond: true } as const;
    for (const [options, end] of [
      [{}, 'verify'],
      [{ contract }, 'rejected'],
    ] as const) {
      const platform = new FakePlatform('statements', faults);
      const versions = new Versions('statements', platform);
      await versions.send(fileOf('statements', 'A:1'), { ...first, options });
      const { ends } = await versions.send(fileOf('statements', 'A:1!'), { options, again: true });
      expect([ends, platform.received.length]).toEqual([[end], 2]);
    }
  },
);
