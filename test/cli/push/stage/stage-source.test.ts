import { describe, expect, test } from 'vitest';
import type { SourceRow } from '../../../../src/cli/csv/source-row.ts';
import type { MappingPlan, TrailerCheck } from '../../../../src/cli/mapping/mapping-plan.ts';
import { NO_CELL } from '../../../../src/cli/mapping/column-map.ts';
import { failure } from '../../../../src/core/problem.ts';
import { csvOf, stagedRun, type StagedRunOptions } from '../../../support/push-staged-run.ts';

/** Statements in which a row without an id continues the record before, and a filter leaves out rows with the number `gone`. */
const ROWS = ['S-1', '', 'S-2', '', ''];

const [NUMBER, ID] = [5, 2];

const continuing = (plan: MappingPlan): MappingPlan => ({
  ...plan,
  continues: (row) => row.cells[ID] === '',
  filteredBy: (row) => (row.cells[NUMBER] === 'gone' ? 'm.yaml:1:1' : undefined),
});

function file(ids: readonly string[], numbers: readonly string[] = []): string {
  return csvOf(
    ids.map((statement_id, index) => ({
      import_supplier: 'ACME',
      external_account_number: '1001',
      statement_id,
      bill_period_from_date: '2025-01-01',
      bill_period_to_date: '2025-01-31',
      number: numbers[index] ?? '',
    })),
  );
}

async function staged(csv: string, options: StagedRunOptions = {}) {
  const { run, end } = await stagedRun('statements', csv, { plan: continuing, ...options });
  const { rows, problems } = run.report();
  return {
    end: end.kind,
    rows: { read: rows.read, not_sent: rows.not_sent, invalid: rows.invalid, filtered: rows.filtered },
    problems: problems.map(({ line, code }) => `${line} ${code}`),
  };
}

describe('rows that continue a record', () => {
  test('count as one row with it', async () => {
    expect(await staged(file(ROWS))).toEqual({
      end: 'staged',
      rows: { read: 2, not_sent: 2, invalid: 0, filtered: 0 },
      problems: [],
    });
  });

  test('are refused when there is no record before them', async () => {
    expect(await staged(file(['', 'S-1']))).toEqual({
      end: 'invalid',
      rows: { read: 2, not_sent: 1, invalid: 1, filtered: 0 },
      problems: ['2 rows_not_joined'],
    });
  });

  test('do not continue the record before an unreadable row', async () => {
    const lines = file(ROWS).trimEnd().split('\n');
    lines[3] = 'ragged';
    expect(await staged(`${lines.join('\n')}\n`)).toMatchObject({
      rows: { read: 4, not_sent: 1, invalid: 3 },
      problems: ['4 row_too_short', '5 rows_not_joined', '6 rows_not_joined'],
    });
  });

  test('are left out with their record', async () => {
    expect(await staged(file(ROWS, ['gone']))).toMatchObject({
      end: 'staged',
      rows: { read: 2, not_sent: 1, filtered: 1 },
    });
  });

  test('count as one row for --max-records', async () => {
    expect(await staged(file(ROWS), { maxRecords: 1 })).toMatchObject({
      rows: { read: 2, not_sent: 1, filtered: 1 },
    });
  });

  test('stop the run when there are too many of them', async () => {
    expect(await staged(file(['S-1', ...Array.from({ length: 10_001 }, () => '')]))).toMatchObject({
      end: 'invalid',
      problems: ['10002 rows_not_joined'],
    });
  });
});

describe('rows that a filter leaves out', () => {
  const blank = file(['S-1']).replace(/$/, `${','.repeat(5)}\n`);

  test('may be empty', async () => {
    const plan = (made: MappingPlan): MappingPlan => ({
      ...made,
      continues: (row) => row.cells[ID] === '',
      filteredBy: (row) => (row.cells[ID] === '' ? 'm.yaml:1:1' : undefined),
    });
    expect(await staged(blank, { plan })).toMatchObject({
      end: 'staged',
      rows: { read: 2, not_sent: 1, filtered: 1 },
    });
  });

  test('are refused without the filter, and do not continue the record before', async () => {
    expect(await staged(blank)).toMatchObject({
      end: 'invalid',
      rows: { read: 2, not_sent: 1, invalid: 1 },
      problems: ['3 row_empty'],
    });
  });

  test('are reported to the mapping, because rows of joined files belong to them', async () => {
    const leftOut: number[] = [];
    await staged(file(['S-1', 'S-2'], ['gone']), {
      plan: (plan) => ({
        ...continuing(plan),
        leaveOut: (rows) => void leftOut.push(...rows.map(({ firstLine }) => firstLine)),
      }),
    });
    expect(leftOut).toEqual([2]);
  });
});

describe('a problem that a mapping finds at the end', () => {
  test('is reported at its own file and stops the run', async () => {
    const cell = { ...NO_CELL, file: 'items.csv', line: 7 };
    const { run, end } = await stagedRun('statements', file(['S-1']), {
      plan: (plan) => ({
        ...plan,
        leftOver: () => [{ problem: failure('rows_not_joined', []), cell }],
      }),
    });
    expect(end.kind).toBe('invalid');
    expect(run.report().problems).toMatchObject([{ file: 'items.csv', line: 7 }]);
  });
});

describe('a control record', () => {
  const check = (seen: SourceRow[]): TrailerCheck => ({
    trailers: 1,
    see: (row) => void seen.push(row),
    verdict: () => [{ problem: failure('trailer_unreadable', []), cell: null }],
  });

  test('that is missing stops the run', async () => {
    expect(
      await staged(file(['S-1']), { plan: (plan) => ({ ...plan, trailer: check([]) }), skipInvalid: true }),
    ).toMatchObject({ end: 'invalid', problems: ['2 trailer_unreadable'] });
  });

  test('counts every readable row of data, also rows that a filter leaves out', async () => {
    const seen: SourceRow[] = [];
    const csv = `${file(['S-1', 'S-2', ''], ['', 'gone'])}ragged\n`;
    await staged(csv, { plan: (plan) => ({ ...continuing(plan), trailer: check(seen) }) });
    expect(seen.map(({ firstLine }) => firstLine)).toEqual([2, 3, 4]);
  });
});
