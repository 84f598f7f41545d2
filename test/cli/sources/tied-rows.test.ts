import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tiedRows } from '../../../src/cli/sources/sources.ts';
import { reasonRows, reasonsHeader } from '../../../src/cli/output/formats/reasons-csv.ts';
import { problemWith } from '../../support/run-report.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [JUNE, JULY] = ['a'.repeat(64), 'b'.repeat(64)];
const ROWS = [
  { rejectsLine: 2, file: 'june.csv', fileSha256: JUNE, line: 7 },
  { rejectsLine: 4, file: 'july.csv', fileSha256: JULY, line: 9 },
];

/** The ties of `r.csv` in a folder with these reasons, when these files are read. */
function tied(reasons: string | undefined, ...sources: readonly string[]) {
  const cwd = temporaryFolder();
  if (reasons !== undefined) writeFileSync(join(cwd, 'r.csv.reasons.csv'), reasons);
  return tiedRows('r.csv', new Set(sources), cwd);
}

const REASONS =
  reasonsHeader() + ROWS.map((row) => reasonRows(row, [problemWith(), problemWith({ line: 8 })])).join('');

test('a row of the rejects is tied to the row that it was copied from, whatever the lines of its problems', async () => {
  expect(await tied(REASONS, JUNE, JULY)).toEqual(
    new Map([
      [2, { sha256: JUNE, line: 7 }],
      [4, { sha256: JULY, line: 9 }],
    ]),
  );
});

test('a row without problems of its own is tied, too', async () => {
  expect(await tied(reasonsHeader() + reasonRows(ROWS[0]!, []), JUNE)).toEqual(
    new Map([[2, { sha256: JUNE, line: 7 }]]),
  );
});

test('a row of a file that has changed since is tied to nothing', async () => {
  expect([...(await tied(REASONS, JULY))!.keys()]).toEqual([4]);
  expect((await tied(REASONS))!.size).toBe(0);
});

test.each([
  ['there is none', undefined],
  [
    'an earlier version wrote it',
    'rejects_line,file,line,column,header,code,detail\n2,t.csv,7,6,amount,invalid,x\n',
  ],
  ['it is another file', 'a;b\n1;2\n'],
  ['a row of it is cut', `${REASONS}6,t.csv\n`],
])('nothing ties the rows when the reasons file is useless: %s', async (_, reasons) => {
  expect(await tied(reasons, JUNE, JULY)).toBeUndefined();
});
