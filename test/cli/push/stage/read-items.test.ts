import { describe, expect, test } from 'vitest';
import type { ReadItem, SourceRow } from '../../../../src/cli/csv/source-row.ts';
import type { MappingPlan, TrailerCheck } from '../../../../src/cli/mapping/mapping-plan.ts';
import { NO_CELL } from '../../../../src/cli/mapping/column-map.ts';
import { AppError } from '../../../../src/core/app-error.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { failure, warning } from '../../../../src/core/problem.ts';
import { csvFrom, stagedRun, type StagedRunOptions } from '../../../support/push-staged-run.ts';

const NAMES = {
  statements: [
    'import_supplier',
    'external_account_number',
    'statement_id',
    'bill_period_from_date',
    'bill_period_to_date',
  ],
  notes: ['import_supplier', 'external_account_number', 'body'],
} as const;
type Read = keyof typeof NAMES;

const rowOf = (firstLine: number, cells: readonly string[]): SourceRow => ({
  firstLine,
  lastLine: firstLine,
  byteStart: firstLine * 100,
  byteEnd: firstLine * 100 + 100,
  cells,
});

const header = (resource: Read, names: readonly string[] = NAMES[resource]): ReadItem => ({
  kind: 'header',
  names,
  line: 1,
});
/** A line with a statement, or with one of its cells changed. */
const statement = (line: number, id = `S-${line}`): SourceRow =>
  rowOf(line, ['ACME', '1001', id, '2025-01-01', '2025-03-31']);
const note = (line: number, account: string, body = `n${line}`): SourceRow =>
  rowOf(line, ['ACME', account, body]);
const data = (row: SourceRow): ReadItem => ({ kind: 'row', row });
const pageLine = (row: SourceRow): ReadItem => ({ kind: 'page_line', row });
const skipped = (row: SourceRow): ReadItem => ({ kind: 'skipped', row });

/** What a run reports about items of one file. */
async function read(resource: Resource, items: readonly ReadItem[], options: StagedRunOptions = {}) {
  const { run, end } = await stagedRun(resource, '', { items: [items], skipInvalid: true, ...options });
  const { rows, problems, leftOut } = run.report();
  return {
    end: end.kind,
    rows: { read: rows.read, sent: rows.not_sent, invalid: rows.invalid, filtered: rows.filtered },
    problems: problems.map(
      ({ line, column, severity, code, attr }) =>
        `${line}:${column} ${severity} ${code}${attr === null ? '' : ` ${attr}`}`,
    ),
    details: problems.map(({ detail }) => detail),
    leftOut: leftOut.map(({ kind, place, count }) => `${kind} ${place} ${count}`),
  };
}

/** Joins a row without an id to the record before it. */
const joining = (plan: MappingPlan): MappingPlan => ({ ...plan, continues: (row) => row.cells[2] === '' });

describe('a line of a page', () => {
  test('that is a row of data stops the run at the first of them', async () => {
    const items = [header('statements'), data(statement(2)), pageLine(statement(3)), pageLine(statement(4))];
    expect(await read('statements', items)).toEqual({
      end: 'invalid',
      rows: { read: 3, sent: 1, invalid: 0, filtered: 2 },
      problems: ['3:null error page_line_is_data'],
      details: ['lines that `source.page_lines` leaves out and that are rows of data: 2'],
      leftOut: ['page_line  2'],
    });
  });

  const noted = header('notes');
  test.each<readonly [string, Read, readonly ReadItem[]]>([
    ['has another number of cells', 'statements', [pageLine(rowOf(3, statement(3).cells.slice(1)))]],
    [
      'is the header again',
      'notes',
      [data(note(2, 'external_account_number')), pageLine(rowOf(3, NAMES.notes))],
    ],
    ['lacks a field', 'statements', [data(statement(2)), pageLine(statement(3, ''))]],
    ['has no date, and no row is before it', 'notes', [pageLine(note(2, '1001')), data(note(3, '1001'))]],
    [
      'has no date, and an account of another form',
      'notes',
      [data(note(2, 'A-100')), pageLine(note(3, 'Page 3'))],
    ],
    ['has no date, and the row before it no account', 'notes', [data(note(2, '')), pageLine(note(3, ''))]],
  ])('that %s is none', async (_, resource, items) => {
    const { problems } = await read(resource, [resource === 'notes' ? noted : header(resource), ...items]);
    expect(problems.filter((problem) => problem.includes('page_line'))).toEqual([]);
  });

  test('without a date is one if its account has the form of the account before it', async () => {
    const items = [noted, data(note(2, 'Aé-109')), pageLine(note(3, 'Öb-377'))];
    expect((await read('notes', items)).problems).toEqual(['3:null error page_line_is_data']);
  });

  test('that the filter leaves out is none', async () => {
    const items = [header('statements'), data(statement(2)), pageLine(statement(3))];
    const filtered = (plan: MappingPlan): MappingPlan => ({
      ...plan,
      filteredBy: (row) => (row.firstLine === 3 ? 'm.yaml:1:1' : undefined),
    });
    expect((await read('statements', items, { plan: filtered })).problems).toEqual([]);
  });

  test('is not looked at in a file that cannot be used', async () => {
    const items = [header('statements'), data(statement(2)), pageLine(statement(3))];
    const unreadable: ReadItem = { kind: 'unreadable', line: 2, problem: failure('row_too_short', []) };
    const { problems } = await read('statements', [...items.slice(0, 2), unreadable, items[2]!]);
    expect(problems).toEqual(['2:null error row_too_short']);
  });

  test('counts for nothing in the mapping, and for no position in the file', async () => {
    const trials: unknown[] = [];
    const items = [header('statements'), data(statement(2)), pageLine(statement(3)), data(statement(4))];
    const options = {
      window: { skip: 1, max: 1 },
      plan: (plan: MappingPlan): MappingPlan => ({
        ...plan,
        candidateOf: (rows, isTrial) => {
          trials.push([rows[0].firstLine, isTrial]);
          return plan.candidateOf(rows, isTrial);
        },
        filteredBy: (row, isTrial) => {
          trials.push(['filtered', row.firstLine, isTrial]);
          return plan.filteredBy(row, isTrial);
        },
      }),
    };
    const { rows, leftOut } = await read('statements', items, options);
    expect(trials).toEqual([
      ['filtered', 2, undefined],
      [3, true],
      ['filtered', 3, true],
      ['filtered', 4, undefined],
      [4, undefined],
    ]);
    expect(rows).toEqual({ read: 3, sent: 1, invalid: 0, filtered: 2 });
    expect(leftOut.toSorted()).toEqual(['page_line  1', 'window  1']);
  });
});

describe('a line that is passed over behind the header', () => {
  test('and is a row of data stops the run, once', async () => {
    const items = [header('statements'), skipped(statement(2)), skipped(statement(3)), data(statement(4))];
    expect(await read('statements', items)).toMatchObject({
      end: 'invalid',
      rows: { read: 1, sent: 1 },
      problems: ['2:null error skipped_line_is_data'],
    });
  });

  test.each<readonly [string, readonly ReadItem[]]>([
    ['has another number of cells', [header('statements'), skipped(rowOf(2, ['Statements of May']))]],
    ['lacks a field', [header('statements'), skipped(statement(2, ''))]],
    ['is before the header', [skipped(statement(1)), header('statements')]],
  ])('and %s is none', async (_, items) => {
    expect((await read('statements', [...items, data(statement(4))])).problems).toEqual([]);
  });

  test('and that the filter leaves out is none, and counts for nothing', async () => {
    const asked: unknown[] = [];
    const plan = (made: MappingPlan): MappingPlan => ({
      ...made,
      filteredBy: (row, isTrial) => {
        asked.push([row.firstLine, isTrial]);
        return row.firstLine === 2 ? 'm.yaml:1:1' : undefined;
      },
      candidateOf: (rows, isTrial) => {
        asked.push([rows[0].firstLine, isTrial]);
        return made.candidateOf(rows, isTrial);
      },
    });
    const items = [
      header('statements'),
      skipped(statement(2)),
      skipped(statement(3, '')),
      data(statement(4)),
    ];
    expect((await read('statements', items, { plan })).problems).toEqual([]);
    expect(asked).toEqual([
      [2, true],
      [3, true],
      [3, true],
      [4, undefined],
      [4, undefined],
    ]);
  });
});

describe('control records and subtotals', () => {
  const seen: unknown[] = [];
  const check: TrailerCheck = {
    trailers: 1,
    see: (row, isLeftOut) => void seen.push([row.firstLine, isLeftOut]),
    verdict: (mark, row, records) => {
      seen.push(['total', mark, row.firstLine, records]);
      return [];
    },
    end: () => [],
  };
  const checking = { plan: (plan: MappingPlan): MappingPlan => ({ ...plan, trailer: check }) };
  const trailer = (line: number): ReadItem => ({ kind: 'trailer', row: rowOf(line, ['T']), mark: 0 });
  const subtotal = (line: number): ReadItem => ({ kind: 'subtotal', row: rowOf(line, ['T']), mark: 1 });

  test('are compared with the records before them', async () => {
    seen.length = 0;
    const items = [data(statement(2)), subtotal(3), data(statement(4)), data(statement(5)), trailer(6)];
    expect(await read('statements', [header('statements'), ...items], checking)).toMatchObject({
      end: 'staged',
      rows: { read: 4, sent: 3, filtered: 1 },
      problems: [],
      leftOut: ['subtotal  1'],
    });
    expect(seen).toEqual([
      [2, false],
      ['total', 1, 3, 1],
      [4, false],
      [5, false],
      ['total', 0, 6, 3],
    ]);
  });

  test.each<readonly [string, ReadItem]>([
    ['row', data(statement(5))],
    ['subtotal', subtotal(5)],
    ['control record of the same kind', trailer(5)],
  ])('may not be followed by a %s', async (_, item) => {
    const items = [header('statements'), data(statement(2)), trailer(4), item];
    expect((await read('statements', items, checking)).problems).toEqual(['4:null error trailer_not_last']);
  });

  test('are missing behind the last row', async () => {
    const items = [header('statements'), data(statement(2)), data(statement(7))];
    expect((await read('statements', items, checking)).problems).toEqual(['7:null error trailer_missing']);
  });

  test('end the record before them, and need no check', async () => {
    const items = [header('statements'), data(statement(2)), subtotal(3), data(statement(4, ''))];
    expect(await read('statements', items, { plan: joining })).toMatchObject({
      rows: { read: 3, sent: 1, invalid: 1, filtered: 1 },
      problems: ['4:null error row_continues_nothing'],
    });
  });

  test('of a file without a mapping are passed over', async () => {
    const items = [header('statements', ['a;b']), subtotal(3), trailer(4)];
    expect((await read('statements', items)).problems).toEqual(['1:null error delimiter_differs']);
  });
});

describe('a line of the file that is no record', () => {
  test('lets the record before it go on', async () => {
    const left: readonly ReadItem[] = [
      { kind: 'repeated_header', row: rowOf(3, NAMES.statements) },
      { kind: 'left_out', row: rowOf(4, ['x']), by: 'query', place: 'q.sql:1' },
    ];
    const items = [header('statements'), data(statement(2)), ...left, data(statement(5, ''))];
    expect(await read('statements', items, { plan: joining })).toEqual({
      end: 'staged',
      rows: { read: 3, sent: 1, invalid: 0, filtered: 2 },
      problems: [],
      details: [],
      leftOut: ['repeated_header  1', 'query q.sql:1 1'],
    });
  });

  test('cannot be cut into cells, so that no record goes on behind it', async () => {
    const problem = failure('quote_misplaced', []);
    const broken: ReadItem = { kind: 'broken', row: rowOf(3, []), problem, cell: { ...NO_CELL, column: 4 } };
    const items = [header('statements'), data(statement(2)), broken, data(statement(4, ''))];
    expect(await read('statements', items, { plan: joining })).toMatchObject({
      rows: { read: 3, sent: 1, invalid: 2 },
      problems: ['3:4 error quote_misplaced', '4:null error row_continues_nothing'],
    });
  });

  test('is counted as invalid when no mapping is known', async () => {
    const broken: ReadItem = { kind: 'broken', row: rowOf(3, []), problem: failure('quote_misplaced', []) };
    const items = [header('statements', ['a;b;c']), data(rowOf(2, ['1;2;3'])), broken];
    expect(await read('statements', items)).toMatchObject({
      end: 'invalid',
      rows: { read: 2, invalid: 2 },
      problems: ['1:null error delimiter_differs'],
      details: ['the header is one single cell; the delimiter looks like ";"'],
    });
  });

  test('brings a notice at its cell, which stops nothing', async () => {
    const cell = { ...NO_CELL, column: 2 };
    const notice: ReadItem = {
      kind: 'notice',
      line: 3,
      problem: warning('text_has_byte_order_mark', []),
      cell,
    };
    expect(await read('statements', [header('statements'), data(statement(2)), notice])).toMatchObject({
      end: 'staged',
      problems: ['3:2 warning text_has_byte_order_mark'],
    });
  });

  test.each([
    ['behind the header', [header('statements')], '; reading stopped here'],
    ['before the header', [], undefined],
  ])('ends the reading %s, and says so', async (_, before, words) => {
    const cell = { ...NO_CELL, column: 2 };
    const unreadable: ReadItem = {
      kind: 'unreadable',
      line: 3,
      problem: failure('quote_not_closed', []),
      cell,
    };
    const { problems, details, end } = await read('statements', [...before, unreadable]);
    expect([end, problems]).toEqual(['invalid', ['3:2 error quote_not_closed']]);
    expect(details[0]!.includes('; reading stopped here')).toBe(words !== undefined);
  });
});

describe('a file', () => {
  test('without anything has no header', async () => {
    expect(await read('notes', [])).toMatchObject({ end: 'invalid', problems: ['1:null error file_empty'] });
  });

  test('with a header alone has no rows', async () => {
    expect(await read('notes', [header('notes')])).toMatchObject({
      end: 'staged',
      problems: ['1:null warning file_has_no_rows'],
    });
  });

  test('with a header that names an unknown column says so', async () => {
    const items = [header('notes', [...NAMES.notes, 'colour']), data(rowOf(2, ['ACME', '1', 'x', 'red']))];
    expect(await read('notes', items)).toMatchObject({
      end: 'staged',
      rows: { read: 1, sent: 1 },
      problems: ['1:4 warning header_unknown'],
    });
  });

  test('has every line of it counted, also those that are no records', async () => {
    const rowsOf = async (items: readonly ReadItem[], plan = joining): Promise<unknown> => {
      const { events } = await stagedRun('statements', '', { items: [items], plan, skipInvalid: true });
      return events.filter((event) => event.kind === 'staging').map(({ rows, invalid }) => [rows, invalid]);
    };
    const broken: ReadItem = { kind: 'broken', row: rowOf(3, []), problem: failure('quote_misplaced', []) };
    const unmapped = [header('statements', ['a;b;c']), data(rowOf(2, ['1;2;3'])), broken];
    expect(await rowsOf(unmapped)).toEqual([[2, 2]]);
    const gone = (plan: MappingPlan): MappingPlan => ({
      ...joining(plan),
      filteredBy: (row) => (row.firstLine === 3 ? 'm.yaml:1:1' : undefined),
    });
    const joined = [header('statements'), data(statement(2)), data(statement(3, '')), data(statement(4, ''))];
    expect(await rowsOf(joined, gone)).toEqual([[2, 0]]);
    const blank = [header('statements'), data(rowOf(2, ['', '', '', '', ''])), data(statement(3))];
    expect(await rowsOf(blank)).toEqual([[2, 1]]);
  });
});

describe('rows that continue a record', () => {
  const left = (plan: MappingPlan): MappingPlan => ({ ...joining(plan), filteredBy: () => 'm.yaml:1:1' });

  test('are left out with it, and are no records of their own', async () => {
    const items = [header('statements'), data(statement(2)), data(statement(3, '')), data(statement(4))];
    expect(await read('statements', items, { plan: left })).toMatchObject({
      end: 'invalid',
      rows: { read: 2, filtered: 2 },
      details: ['the filter of the mapping leaves out every row of the file: 2'],
    });
  });

  test('are told to the mapping as left out with it', async () => {
    const seen: unknown[] = [];
    const noting = (name: string) => (row: SourceRow, isLeftOut: boolean) =>
      void seen.push([name, row.firstLine, isLeftOut]);
    const plan = (made: MappingPlan): MappingPlan => ({
      ...joining(made),
      filteredBy: (row) => (row.firstLine === 2 ? 'm.yaml:1:1' : undefined),
      see: noting('row'),
      trailer: { trailers: 0, see: noting('total'), verdict: () => [], end: () => [] },
    });
    const items = [header('statements'), data(statement(2)), data(statement(3, '')), data(statement(4))];
    await read('statements', items, { plan });
    expect(seen).toEqual([
      ['row', 2, true],
      ['total', 2, true],
      ['row', 3, true],
      ['total', 3, true],
      ['row', 4, false],
      ['total', 4, false],
    ]);
  });

  test('do not continue it behind a row without a value', async () => {
    const blank = data(rowOf(3, ['', '', '', '', '']));
    const items = [header('statements'), data(statement(2)), blank, data(statement(4, ''))];
    expect(await read('statements', items, { plan: joining })).toMatchObject({
      rows: { read: 3, sent: 1, invalid: 2 },
      problems: ['3:null error row_empty', '4:null error row_continues_nothing'],
    });
  });
});

describe('a header between the rows', () => {
  const repeated = data(rowOf(3, NAMES.statements));

  test('is refused, and no record goes on behind it', async () => {
    const items = [header('statements'), data(statement(2)), repeated, data(statement(4, ''))];
    expect(await read('statements', items, { plan: joining })).toMatchObject({
      rows: { read: 3, sent: 1, invalid: 2 },
      problems: ['3:null error header_repeated', '4:null error row_continues_nothing'],
    });
  });

  test('that the filter leaves out lets the record before it go on', async () => {
    const items = [header('statements'), data(statement(2)), repeated, data(statement(4, ''))];
    const plan = (made: MappingPlan): MappingPlan => ({
      ...joining(made),
      filteredBy: (row) => (row.firstLine === 3 ? 'm.yaml:1:1' : undefined),
    });
    expect(await read('statements', items, { plan })).toMatchObject({
      end: 'staged',
      rows: { read: 2, sent: 1, filtered: 1 },
      problems: [],
      leftOut: ['filter m.yaml:1:1 1'],
    });
  });
});

test('a header of one column with key paths has no wrong delimiter', async () => {
  const items: readonly ReadItem[] = [{ kind: 'header', names: ['a;b'], line: 1, elements: new Map() }];
  const { problems } = await read('statements', items);
  expect(problems.filter((problem) => problem.includes('delimiter'))).toEqual([]);
});

describe('a file of which the filter leaves out every row', () => {
  const all = (plan: MappingPlan): MappingPlan => ({ ...plan, filteredBy: () => 'm.yaml:1:1' });
  const two = [header('statements'), data(statement(2)), data(statement(3))];

  test('is refused', async () => {
    expect(await read('statements', two, { plan: all })).toEqual({
      end: 'invalid',
      rows: { read: 2, sent: 0, invalid: 0, filtered: 2 },
      problems: ['1:null error nothing_left'],
      details: ['the filter of the mapping leaves out every row of the file: 2'],
      leftOut: ['filter m.yaml:1:1 2'],
    });
  });

  test('is a warning when another file has rows', async () => {
    let files = 0;
    const { run, end } = await stagedRun('notes', [csvFrom('notes', 'A:1 A:2'), csvFrom('notes', 'A:3')], {
      plan: (plan) => (++files === 1 ? all(plan) : plan),
    });
    expect(end.kind).toBe('staged');
    expect(run.report().problems).toMatchObject([
      { file: 'notes-1.csv', line: 1, severity: 'warning', code: 'nothing_left', attr: null },
    ]);
    expect(run.report().problems[0]!.detail).toBe(
      'the filter of the mapping leaves out every row of the file: 2',
    );
  });

  test('but one is used', async () => {
    const plan = (made: MappingPlan): MappingPlan => ({
      ...made,
      filteredBy: (row) => (row.firstLine === 2 ? 'm.yaml:1:1' : undefined),
    });
    expect(await read('statements', two, { plan })).toMatchObject({ end: 'staged', problems: [] });
  });

  test('is not said when the file cannot be used', async () => {
    const unreadable: ReadItem = { kind: 'unreadable', line: 4, problem: failure('quote_not_closed', []) };
    expect((await read('statements', [...two, unreadable], { plan: all })).problems).toEqual([
      '4:null error quote_not_closed',
    ]);
  });
});

describe('rows with and without an account number', () => {
  const mixed = ['1', '', '', '2', '', ''].map((account, at) => data(note(at + 2, account)));

  test('are reported at the column, once for the file', async () => {
    expect((await read('notes', [header('notes'), ...mixed])).problems).toContain(
      '3:2 warning account_in_first_row_only external_account_number',
    );
  });

  test('count no number that is there and could not be read', async () => {
    const plan = (made: MappingPlan): MappingPlan => ({
      ...made,
      candidateOf(rows) {
        const candidate = made.candidateOf(rows);
        const problem = failure('invalid', ['external_account_number']);
        return candidate.account.external_account_number === undefined
          ? { ...candidate, problems: [{ problem, cell: null }] }
          : candidate;
      },
    });
    const { problems } = await read('notes', [header('notes'), ...mixed], { plan });
    expect(new Set(problems.map((problem) => problem.slice(2)))).toEqual(
      new Set(['2 error invalid external_account_number']),
    );
  });

  test('count a number that is missing, whatever else is wrong', async () => {
    const plan = (made: MappingPlan): MappingPlan => ({
      ...made,
      candidateOf(rows) {
        const candidate = made.candidateOf(rows);
        const problems = [
          { problem: failure('invalid', ['body']), cell: null },
          { problem: failure('required', ['external_account_number']), cell: null },
        ];
        return { ...candidate, problems };
      },
    });
    const { problems } = await read('notes', [header('notes'), ...mixed], { plan });
    expect(problems).toContain('3:2 warning account_in_first_row_only external_account_number');
  });
});

test('rows of several kinds are reported at the first of another kind', async () => {
  const rows = Array.from({ length: 10 }, (_, at) =>
    data(rowOf(at + 2, at < 5 ? ['H', '1'] : note(at, 'A').cells)),
  );
  expect((await read('notes', [header('notes'), ...rows])).problems).toContain(
    '2:null warning record_kinds_mixed',
  );
});

describe('a pattern that takes too long', () => {
  const slow = (line: number): StagedRunOptions => ({
    plan: (plan) => ({
      ...plan,
      candidateOf: (rows) => {
        if (rows[0].firstLine === line) throw new AppError('pattern_too_slow', { pattern: 'x+' });
        return plan.candidateOf(rows);
      },
    }),
  });

  test.each([3, 4])('is reported with the line %i of its row', async (line) => {
    const items = [header('notes'), data(note(2, 'A')), data(note(3, 'A')), data(note(4, 'A'))];
    const failed = read('notes', items, slow(line));
    await expect(failed).rejects.toMatchObject({
      code: 'pattern_too_slow',
      facts: { pattern: 'x+', place: ` in notes-1.csv:${line}` },
      cause: { code: 'pattern_too_slow' },
    });
  });

  test.each([new Error('x'), new AppError('run_locked', {})])(
    'and no other error, such as %s, is',
    async (error) => {
      const plan = (made: MappingPlan): MappingPlan => ({
        ...made,
        candidateOf: () => {
          throw error;
        },
      });
      await expect(read('notes', [header('notes'), data(note(2, 'A'))], { plan })).rejects.toBe(error);
    },
  );
});

test('a query that has no row yet can be interrupted', async () => {
  const stopping = AbortSignal.abort();
  expect((await stagedRun('notes', '', { items: [[]], stopping })).end).toEqual({ kind: 'interrupted' });
});

test('a query may have no row for some time', async () => {
  const items = [[header('notes')], [], [data(note(2, 'A'))]];
  const { run } = await stagedRun('notes', '', { items });
  expect(run.report().rows).toMatchObject({ read: 1, not_sent: 1 });
});
