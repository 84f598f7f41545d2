import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { QUERY_FOLDER } from '../../../../src/files/private-folder.ts';
import { queryRows, type StoreFunctions } from '../../../../src/cli/run-file/scratch/query-rows.ts';
import {
  openQueryStore,
  removeAbandonedQueries,
  type QueryStore,
} from '../../../../src/cli/run-file/scratch/query-store.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Functions that say with what they were called. */
const FUNCTIONS: StoreFunctions = {
  scalars: {
    joined: { args: 2, call: (...texts: unknown[]) => texts.join('+') },
    kinds: { args: 2, call: (...values: unknown[]) => values.map((value) => typeof value).join('+') },
    'three/3': { args: 3, call: (...texts: unknown[]) => texts.join('+') },
  },
  decimalSum: {
    start: () => [],
    step: (all: unknown[], value: unknown) => void all.push(value),
    result: (all: unknown[]) => all.join('+'),
  },
};

function opened(): QueryStore {
  const folder = temporaryFolder();
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = openQueryStore();
  onTestFinished(() => store.close());
  return store;
}

describe('a table of a query', () => {
  const filled = () => {
    const store = opened();
    const table = store.createTable('a "table"', ['name', 'a "column"']);
    table.add(2, ['x', '1']);
    table.add(5, ['y', 'x']);
    store.flush();
    return { store, table };
  };

  test('has the cells of its rows by their lines', () => {
    const { table } = filled();
    expect([table.cells(2), table.cells(5), table.cells(3)]).toEqual([['x', '1'], ['y', 'x'], undefined]);
    expect(table.count()).toBe(2);
  });

  test('finds the first row with a text, and its column', () => {
    const { table } = filled();
    expect(table.firstWith('x')).toEqual({ line: 2, column: 0 });
    expect(table.firstWith('1')).toEqual({ line: 2, column: 1 });
    expect(table.firstWith('y')).toEqual({ line: 5, column: 0 });
    // The number of a line is no text.
    expect(table.firstWith('5')).toBeUndefined();
  });

  test('is read by another connection, with the functions of queries', () => {
    const { store } = filled();
    const sql = `SELECT joined(name, "a ""column""") AS pair, three(name, 'b', 'c'), _row FROM "a ""table""" ORDER BY _row`;
    expect([...queryRows(store.path, sql, FUNCTIONS)]).toEqual([
      ['x+1', 'x+b+c', 2n],
      ['y+x', 'y+b+c', 5n],
    ]);
    expect([...queryRows(store.path, `SELECT dec_sum(name) FROM "a ""table"""`, FUNCTIONS)]).toEqual([
      ['x+y'],
    ]);
    const deleting = `DELETE FROM "a ""table""" RETURNING name`;
    expect(() => [...queryRows(store.path, deleting, FUNCTIONS)]).toThrow('readonly');
    expect([...queryRows(store.path, 'SELECT kinds(1, 1.5), dec_sum(1)', FUNCTIONS)]).toEqual([
      ['bigint+number', '1'],
    ]);
  });

  test('has no function in what somebody has put into the database', () => {
    const { store } = filled();
    const db = new Database(store.path);
    db.function('joined', (a, b) => `${String(a)}${String(b)}`);
    db.aggregate('dec_sum', { start: 0, step: (sum: number) => sum });
    db.exec('CREATE VIEW scalars AS SELECT joined(1, 2); CREATE VIEW sums AS SELECT dec_sum(1)');
    db.close();
    for (const view of ['scalars', 'sums'])
      expect(() => [...queryRows(store.path, `SELECT * FROM ${view}`, FUNCTIONS)]).toThrow('unsafe use');
  });

  test('may have an index', () => {
    const { store, table } = filled();
    table.addIndex('a "column"');
    store.analyze();
    const prepared = store.prepare(`SELECT name FROM "a ""table""" WHERE "a ""column""" = '1'`, FUNCTIONS);
    expect(JSON.stringify(prepared)).toContain('OpenRead');
    expect([...queryRows(store.path, 'SELECT tbl, idx FROM sqlite_stat1', FUNCTIONS)]).toEqual([
      ['a "table"', 'a "table" a "column"'],
    ]);
  });
});

describe('a query', () => {
  test('has columns, and the steps by which SQLite makes them', () => {
    const store = opened();
    store.createTable('t', ['name']);
    const prepared = store.prepare('SELECT name AS n, name || 1 AS made FROM t', FUNCTIONS);
    expect(prepared).toMatchObject({
      columns: [
        { name: 'n', table: 't', column: 'name' },
        { name: 'made', table: null, column: null },
      ],
    });
    expect((prepared as { steps: readonly { opcode: string }[] }).steps.at(-1)).toMatchObject({
      opcode: 'Goto',
    });
  });

  test.each([
    ['DELETE FROM t', 'it is no SELECT'],
    ['PRAGMA journal_mode = WAL', 'it is no SELECT'],
    ['DELETE FROM t RETURNING name', 'it is no SELECT'],
    ['SELECT missing FROM t', 'no such column: missing'],
    ['SELECT 1; SELECT 2', expect.stringContaining('more than one statement')],
  ])('is refused with the reason: %s', (sql, reason) => {
    const store = opened();
    store.createTable('t', ['name']);
    expect(store.prepare(sql, FUNCTIONS)).toEqual(reason);
  });
});

test('a query that is no text is a bug, and a closed store has none', () => {
  const store = opened();
  expect(() => store.prepare(undefined as never, FUNCTIONS)).toThrow(TypeError);
  store.close();
  expect(() => store.analyze()).toThrow('not open');
});

test('the lines of the first table are found by their number, and between two numbers', () => {
  const store = opened();
  const line = (firstLine: number, part: string | null = null) => ({
    firstLine,
    lastLine: firstLine + 1,
    byteStart: firstLine * 10,
    byteEnd: firstLine * 10 + 9,
    part,
  });
  for (const each of [line(8), line(2), line(4, 'blank'), line(6)]) store.addLine(each);
  store.flush();
  expect([store.lineAt(4), store.lineAt(3)]).toEqual([line(4, 'blank'), undefined]);
  expect(store.linesBetween(2, 8)).toEqual([line(4, 'blank'), line(6)]);
});

describe('the folder of a query', () => {
  test('is for its owner alone, and gone when it is closed', () => {
    const store = opened();
    const folder = dirname(store.path);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['lock', 'tables']));
    store.close();
    expect(existsSync(folder)).toBe(false);
  });

  test('that cannot be made says so', () => {
    const folder = join(temporaryFolder(), 'none');
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => openQueryStore()).toThrow(
      expect.objectContaining({ code: 'temporary_file_not_written' }) as Error,
    );
  });

  test('is removed once its process was killed, and no other one', () => {
    const store = opened();
    const around = dirname(dirname(store.path));
    const made = (files: readonly string[], seconds = 0): string => {
      const folder = mkdtempSync(join(around, QUERY_FOLDER));
      for (const name of files) writeFileSync(join(folder, name), '');
      utimesSync(folder, seconds, seconds);
      return folder;
    };
    const abandoned = [made(['lock', 'tables']), made(['tables']), made(['lock']), made([])];
    const beginning = [made([], 100), made(['lock'], 100)];
    const other = join(around, 'other');
    mkdirSync(other);
    removeAbandonedQueries(159_999);
    const isThere = (folder: string): boolean => existsSync(folder);
    expect(abandoned.map(isThere)).toEqual([false, false, false, false]);
    expect([dirname(store.path), ...beginning, other].map(isThere)).toEqual([true, true, true, true]);
    removeAbandonedQueries(160_000);
    expect(beginning.map(isThere)).toEqual([false, false]);
  });
});
