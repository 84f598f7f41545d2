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
    expect(problems).toEqual(['1: error file_has_no_rows']);
    expect(rows).toMatchObject({ read: 3, filtered: 3 });
  });

  test.each([[[]], [['--skip-invalid']]])('is pushed by no command: %j', async (flags) => {
    const cwd = folderWith({ 'x.csv': ROWS, 'x.csv.map.yaml': map });
    const argv = ['push', 'transactions', 'x.csv', '--supplier', 'ACME', '--dry-run', ...flags];
    const { exitCode, stderr } = await runCli(argv, fakeIo({ cwd }));
    expect(exitCode).toBe(3);
    expect(stderr).toContain('x.csv:1 error file_has_no_rows the filter of the mapping leaves out every row');
  });
});

test('a condition may hold for all rows, and refuses the others where every record needs the field', async () => {
  const amount = 'amount: { column: A, when: { column: S, in: [A, B] } }';
  const guarded = MAP.replace(/amount: .*/, amount);
  expect((await check(guarded)).problems).toEqual([]);
  const refusing = await check(guarded.replace('in: [A, B]', 'in: [A]'));
  expect(refusing.exitCode).toBe(3);
  expect(refusing.problems).toContainEqual(expect.stringContaining('error required'));
});
