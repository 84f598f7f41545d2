import { describe, expect, test } from 'vitest';
import { checkFiles } from '../../support/checked-files.ts';
import { csvOf, row, stagedRun, type StagedRunOptions } from '../../support/push-staged-run.ts';

type Cells = Record<string, string>;

const t = (id: string, changes: Cells = {}): Cells => ({ ...row.transactions('A', id), ...changes });

async function staged(rows: readonly Cells[], options: StagedRunOptions = {}) {
  const { run, end } = await stagedRun('transactions', csvOf(rows), options);
  const report = run.report();
  return {
    end: end.kind,
    rows: report.rows,
    problems: report.problems.map(
      ({ line, severity, code, detail }) =>
        `${line} ${severity} ${code} ${/\(see .*\)/.exec(detail)?.[0] ?? detail}`,
    ),
  };
}

describe('rows with one id', () => {
  test('are reported with whether their content is equal', async () => {
    const same = await staged([t('1'), t('2'), t('1')]);
    expect(same.problems).toEqual([
      '2 error duplicate_transaction_ids (see line 4, which has the same content)',
      '4 error duplicate_transaction_ids (see line 2, which has the same content)',
    ]);
    const other = await staged([t('1'), t('2'), t('1', { amount: '11.00' })]);
    expect(other.problems).toEqual([
      '2 error duplicate_transaction_ids (see line 4, which has other content)',
      '4 error duplicate_transaction_ids (see line 2, which has other content)',
    ]);
  });

  test('name a row that differs when only some have other content', async () => {
    const { problems } = await staged([t('1'), t('1'), t('1', { amount: '11.00' }), t('1')]);
    expect(problems).toEqual([
      '2 error duplicate_transaction_ids (see line 4, which has other content)',
      '3 error duplicate_transaction_ids (see line 4, which has other content)',
      '4 error duplicate_transaction_ids (see line 2, which has other content)',
      '5 error duplicate_transaction_ids (see line 4, which has other content)',
    ]);
  });

  test('are equal however the amount is written', async () => {
    const { problems } = await staged([t('1', { amount: '010.10' }), t('1', { amount: '10.10' })]);
    expect(problems).toContain('3 error duplicate_transaction_ids (see line 2, which has the same content)');
  });
});

describe('notes whose times are one time in two notations', () => {
  const n = (created_at: string, cells: Cells = {}): Cells => ({
    ...row.notes('A', '1'),
    created_at,
    is_pinned: 'false',
    ...cells,
  });
  const [UTC, BERLIN] = ['2024-03-05T18:48:16Z', '2024-03-05T19:48:16+01:00'];

  test('are identical notes in JSON Lines, too', async () => {
    const [first, second] = [UTC, BERLIN].map((created_at) => JSON.stringify(n(created_at)));
    const files = {
      'x.jsonl': `${first}
${second}
`,
    };
    const { problems } = await checkFiles(files, [], { resource: 'notes', file: 'x.jsonl' });
    expect(problems).toEqual(['2: warning identical_notes']);
  });

  test('are none when another field differs', async () => {
    const rows = [n(UTC), n(BERLIN, { is_pinned: 'true' })];
    const { run } = await stagedRun('notes', csvOf(rows));
    expect(run.report().problems.map(({ code }) => code)).toContain('notes_differ');
  });
});

test('identical notes are counted in one warning with their accounts', async () => {
  const csv = csvOf([
    ...['A', 'A', 'A', 'B', 'B', 'C'].map((account) => row.notes(account, '1')),
    row.notes('A', '2'),
  ]);
  const { run, end } = await stagedRun('notes', csv);
  expect(end.kind).toBe('staged');
  expect(run.report().problems.map(({ line, detail }) => `${line} ${detail}`)).toEqual([
    '3 notes with the body and created_at of an earlier note, or with its body and no created_at: 3 (accounts: 2); the platform keeps one of each',
  ]);
});

describe('a note without created_at', () => {
  const DATED = '2024-03-05T18:48:16Z';
  const n = (created_at: string, account = 'A', body = '1'): Cells => ({
    ...row.notes(account, body),
    created_at,
  });

  test.each([
    ['after a note with the same body and a date repeats it', [n(DATED), n('')], ['3: 1 (accounts: 1)']],
    [
      'after two of them, and after itself',
      [n(DATED), n('2024-03-06T00:00:00Z'), n(''), n('')],
      ['4: 2 (accounts: 1)'],
    ],
    ['before a note with the same body and a date is another note', [n(''), n(DATED)], []],
    ['of another account is another note', [n(DATED), n('', 'B')], []],
    ['with another body is another note', [n(DATED), n('', 'A', '2')], []],
    ['after a note with the same body and no date repeats it', [n(''), n('')], ['3: 1 (accounts: 1)']],
  ])('%s', async (_, rows, expected) => {
    const { run, end } = await stagedRun('notes', csvOf(rows));
    expect(end.kind).toBe('staged');
    const reported = run.report().problems.map(({ code, line, detail }) => {
      expect(code).toBe('identical_notes');
      return `${line}${/: \d+ \(accounts: \d+\)/.exec(detail)![0]}`;
    });
    expect(reported).toEqual(expected);
  });
});

test('all repetitions are refused, also when there are more than one read returns', async () => {
  const rows = Array.from({ length: 10_500 }, (_, index) => t(String(index % 5_250)));
  const { rows: counts } = await staged(rows);
  expect(counts).toMatchObject({ read: 10_500, invalid: 10_500 });
});
