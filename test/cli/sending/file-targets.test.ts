import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRejects } from '../../../src/cli/sending/push-files.ts';
import type { SourceFlags } from '../../../src/cli/command/flags.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FLAGS = {
  resource: 'notes',
  file: ['n.csv'],
  rejects: 'r.csv',
} as unknown as SourceFlags;

/** The targets of a command in a folder with these files. */
function opened(flags: Partial<SourceFlags>, ...there: readonly string[]) {
  const cwd = temporaryFolder();
  for (const name of there) writeFileSync(join(cwd, name), 'of an earlier command');
  const { rejects, notes } = openRejects({ ...FLAGS, ...flags }, cwd);
  return { rejects: rejects.map(({ name }) => name), notes };
}

test('the files of a command are those that were asked for', () => {
  expect(opened({})).toEqual({ rejects: ['r.csv'], notes: [] });
  const { rejects: _, ...none } = FLAGS;
  expect(openRejects(none, temporaryFolder())).toEqual({ rejects: [], notes: [] });
});

test('files that the same command has written before stay, and the notes say so', () => {
  expect(opened({}, 'r.csv')).toEqual({
    rejects: [],
    notes: ['rejects: r.csv exists already, so none were written'],
  });
});

test.each([{ rejects: '-' }, { rejects: 'r.csv.gz' }, { rejects: 'no/such/folder/r.csv' }])(
  'what can never be written stops the command: %j',
  (flags) => {
    expect(() => opened(flags)).toThrow(/takes a file|plain text|cannot be written/);
  },
);
