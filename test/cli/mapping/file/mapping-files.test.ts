import { expect, test } from 'vitest';
import { openSourceFile } from '../../../../src/cli/csv/source-file.ts';
import { loadMapping } from '../../../../src/cli/mapping/file/load-mapping.ts';
import { CHARGES, folderWith, type Files } from '../../../support/mapping-files.ts';

const LOOKUP = CHARGES.replace(
  '{ constant: CHARGE }',
  '{ column: T, lookup: { file: t.csv, key: A, value: B } }',
);
const FILES: Files = {
  'm.yaml': LOOKUP,
  't.csv': 'A,B\n',
};

/** Loads a mapping, with the size that a file is said to have, and names the files that stay open. */
async function loaded(files: Files, bytes?: number) {
  const folder = folderWith(files);
  const open = new Set<string>();
  const result = await loadMapping('m.yaml', async (name) => {
    const file = await openSourceFile(name, folder);
    open.add(name);
    const fingerprint = { ...file.fingerprint, ...(bytes !== undefined && { bytes }) };
    return { ...file, fingerprint, close: () => (open.delete(name), file.close()) };
  }).catch((error: unknown) => error);
  return { result, open: [...open] };
}

test('every file is closed, also one that cannot be used', async () => {
  const { result, open } = await loaded(FILES);
  expect([result, open]).toMatchObject([{ problems: [] }, []]);
  const broken = await loaded({ ...FILES, 't.csv': '' });
  expect([broken.result, broken.open]).toMatchObject([{ problems: [{ line: 8 }] }, []]);
});

test('a file of more than a mebibyte is no mapping', async () => {
  const MOST = 1024 * 1024;
  expect(await loaded({ 'm.yaml': CHARGES }, MOST)).toMatchObject({ result: { problems: [] }, open: [] });
  expect(await loaded({ 'm.yaml': CHARGES }, MOST + 1)).toMatchObject({
    result: {
      code: 'file_not_readable',
      facts: { file: 'm.yaml', reason: 'it is larger than 1048576 bytes' },
    },
    open: [],
  });
});
