import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFileTargets } from '../../../src/cli/sending/push-files.ts';
import type { SourceFlags } from '../../../src/cli/command/flags.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FLAGS = {
  resource: 'notes',
  file: ['n.csv'],
  rejects: 'r.csv',
  leftOut: 'l.csv',
} as unknown as SourceFlags;

/** The targets of a command in a folder with these files. */
function opened(flags: Partial<SourceFlags>, ...there: readonly string[]) {
  const cwd = temporaryFolder();
  for (const name of there) writeFileSync(join(cwd, name), 'of an earlier command');
  const { rejects, leftOut, notes } = openFileTargets({ ...FLAGS, ...flags }, cwd);
  return { rejects: rejects.map(({ name }) => name), leftOut: leftOut.map(({ name }) => name), notes };
}

test('the files of a command are those that were asked for', () => {
  expect(opened({})).toEqual({ rejects: ['r.csv'], leftOut: ['l.csv'], notes: [] });
  const { rejects: _, leftOut: __, ...none } = FLAGS;
  expect(openFileTargets(none, temporaryFolder())).toEqual({ rejects: [], leftOut: [], notes: [] });
});

test('files that the same command has written before stay, and the notes say so', () => {
  expect(opened({}, 'r.csv')).toEqual({
    rejects: [],
    leftOut: ['l.csv'],
    notes: ['rejects: r.csv exists already, so none were written'],
  });
  expect(opened({}, 'r.csv.reasons.csv', 'l.csv')).toEqual({
    rejects: [],
    leftOut: [],
    notes: [
      'rejects: r.csv.reasons.csv exists already, so none were written',
      'left out: l.csv exists already, so none were written',
    ],
  });
});

test('a file of corrected rows has rejects of its own', () => {
  expect(opened({ corrections: ['c.csv'] })).toMatchObject({
    rejects: ['r-n.csv', 'r-c.csv'],
    leftOut: ['l-n.csv', 'l-c.csv'],
  });
});

test.each([{ rejects: '-' }, { rejects: 'r.csv.gz' }, { leftOut: 'no/such/folder/l.csv' }])(
  'what can never be written stops the command: %j',
  (flags) => {
    expect(() => opened(flags)).toThrow(/takes a file|plain text|cannot be written/);
  },
);
