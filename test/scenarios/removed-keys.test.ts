import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { CHARGES, folderWith } from '../support/mapping-files.ts';

const TRAILER = 'trailer: { cell: 1, equals: TOTAL, count: 2';

test.each([
  ['expect', 'expect: [{ column: Currency, in: EUR }]', 'a query'],
  ['subtotals', 'source: { subtotals: { cell: 1 } }', 'FILTER'],
  ['include', 'include: [common.yaml]', 'a mapping is one file'],
  ['trailing_zeros', 'source: { trailing_zeros: drop }', '`replace: '],
  ['over', `source: { ${TRAILER}, over: all } }`, 'compares the row of the total'],
  ['count_of', `source: { ${TRAILER}, count_of: Doc } }`, 'compares the row of the total'],
])('a mapping with the removed key %s says at its line what does the same', async (key, written, said) => {
  const cwd = folderWith({ 'x.csv.map.yaml': `${CHARGES}ignore: all\n${written}\n` });
  const argv = ['check', '--map', 'x.csv.map.yaml', '--supplier', 'ACME', '--json'];
  const { exitCode, json } = await runCli(argv, fakeIo({ cwd }));
  const problems = json()['problems'] as readonly { readonly line: number; readonly detail: string }[];
  expect(exitCode).toBe(2);
  const [found] = problems.filter(({ detail }) => detail.includes(`there is no key \`${key}\` here`));
  expect(found).toMatchObject({ line: 10, detail: expect.stringContaining(said) as string });
});
