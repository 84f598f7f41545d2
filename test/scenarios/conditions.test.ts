import { describe, expect, test } from 'vitest';
import { checkFiles } from '../support/checked-files.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { CHARGES, folderWith } from '../support/mapping-files.ts';

const MAP = `${CHARGES}ignore: all
`;
const ROWS = 'K,B,A,S\n1,T1,5,A\n1,T2,6,B\n1,T3,7,B\n';
const check = (map: string, csv = ROWS) => checkFiles({ 'x.csv': csv, 'x.csv.map.yaml': map });

describe('a filter that leaves out every row', () => {
  const map = `${MAP}filter: [{ column: S, not_in: [STORNO, X] }]\n`;

  test('ends a check as an error, with the place of the condition', async () => {
    const { exitCode, problems, rows } = await check(map);
    expect(exitCode).toBe(3);
    expect(problems).toEqual(['1: error nothing_left']);
    expect(rows).toMatchObject({ read: 3, filtered: 3 });
  });

  test.each([[[]], [['--skip-invalid']]])('is pushed by no command: %j', async (flags) => {
    const cwd = folderWith({ 'x.csv': ROWS, 'x.csv.map.yaml': map });
    const argv = ['push', 'transactions', 'x.csv', '--supplier', 'ACME', '--dry-run', ...flags];
    const { exitCode, stderr } = await runCli(argv, fakeIo({ cwd }));
    expect(exitCode).toBe(3);
    expect(stderr).toContain('x.csv:1 error nothing_left the filter of the mapping leaves out every row');
  });

  test('is a warning for one file of several that have rows', async () => {
    const files = {
      'x.csv': ROWS,
      'y.csv': 'K,B,A,S\n1,T9,5,X\n',
      'm.yaml': map,
    };
    const { exitCode, problems } = await checkFiles(files, ['y.csv', '--map', 'm.yaml']);
    expect({ exitCode, problems }).toEqual({ exitCode: 0, problems: ['1: warning nothing_left'] });
  });

  test('is no problem of a file without rows', async () => {
    expect((await check(map, 'K,B,A,S\n')).problems).toEqual(['1: warning file_has_no_rows']);
  });
});

/** Twenty rows, which are enough to have every kind of row. */
const MANY_ROWS = `K,B,A,S\n${Array.from({ length: 20 }, (_, at) => `1,T${at},8.10,${at === 0 ? 'A' : 'B'}\n`).join('')}`;

describe('a condition', () => {
  test.each([
    [
      'that never holds in a filter',
      'filter: [{ column: S, in: [STRONO] }]',
      'warning condition_doubtful: the condition held for none of the rows',
    ],
    [
      'that never holds behind one that always does',
      'filter: [[{ column: S, is: present }, { column: S, in: [X] }]]',
      'warning condition_doubtful: the condition held for none of the rows',
    ],
    [
      'of a field that never holds',
      'filter: []',
      'warning condition_doubtful: the condition held for none of the rows',
      '  note: { column: S, when: { column: S, in: [C] } }',
    ],
  ])('%s is a warning at its place', async (_, filter, problem, field = '') => {
    const map = `${MAP}${filter}\n`.replace('ignore', `${field}${field === '' ? '' : '\n'}ignore`);
    const { exitCode, details } = await check(map, MANY_ROWS);
    expect(exitCode).toBe(0);
    expect(details.map((each) => each.replace(/^x.csv.map.yaml:\d+:\d+ /, ''))).toEqual([
      `${problem} that it was tested on; rows: 20`,
    ]);
  });

  test('that never holds in a few rows is none, because a small file need not have every kind', async () => {
    expect((await check(`${MAP}filter: [{ column: S, in: [STRONO] }]\n`)).problems).toEqual([]);
  });

  test('may hold for all rows, and refuses the others where every record needs the field', async () => {
    const amount = 'amount: { column: A, when: { column: S, in: [A, B] } }';
    const guarded = MAP.replace(/amount: .*/, amount);
    expect((await check(guarded)).problems).toEqual([]);
    const refusing = await check(guarded.replace('in: [A, B]', 'in: [A]'));
    expect(refusing.exitCode).toBe(3);
    expect(refusing.problems).toContainEqual(expect.stringContaining('error required'));
  });

  test('is counted over all files of the mapping', async () => {
    const files = {
      'x.csv': ROWS,
      'y.csv': 'K,B,A,S\n1,T8,5,X\n1,T9,5,Y\n',
      'm.yaml': `${MAP}filter: [{ column: S, in: [X] }]\n`,
    };
    expect((await checkFiles(files, ['y.csv', '--map', 'm.yaml'])).problems).toEqual([]);
  });

  test('of a repeated item is counted over all items', async () => {
    const item = "{ net_amount: 'N{n}', start_date: D, end_date: D, number_of_units: 'U{n}' }";
    const map = MAP.replace(
      'type: { constant: CHARGE }',
      'type: { constant: SUPPLY_CHARGE }\n  product_code: S',
    ).replace(
      'ignore',
      `  line_items: { repeat: { from: 1, to: 2 }, item: ${item.replace("'N{n}'", "{ column: 'N{n}', when: { column: 'F{n}', in: [Z] } }")} }\nignore`,
    );
    const rows = Array.from({ length: 20 }, (_, at) => `1,T${at},5.10,P,2026-01-01,5.10,1,Y,,,\n`);
    const csv = `K,B,A,S,D,N1,U1,F1,N2,U2,F2\n${rows.join('')}`;
    const { problems } = await check(map, csv);
    expect(problems.filter((each) => each.includes('condition'))).toEqual([
      expect.stringMatching(/^x.csv.map.yaml:10:\d+ warning condition_doubtful$/) as string,
    ]);
  });
});
