import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { firstSteps } from '../../../src/cli/replay/first-steps.ts';
import { SECRET, UNREADABLE_YAML } from '../../support/unreadable-yaml.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function appError(attempt: () => unknown): AppError {
  try {
    attempt();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  ['of a CSV named as a resource', { 'statements.csv': '' }, ['push statements statements.csv']],
  [
    'of a CSV whose mapping says what it is',
    { 'a.csv': '', 'a.csv.map.yaml': 'resource: notes' },
    ['push notes a.csv'],
  ],
  [
    'of a compressed one, whose mapping may be that of its content',
    { 'a.csv.gz': '', 'a.csv.map.yaml': 'resource: notes' },
    ['push notes a.csv.gz'],
  ],
  [
    'of a name with a space in it',
    { 'a b.csv': '', 'a b.csv.map.yaml': 'resource: notes' },
    ["push notes 'a b.csv'"],
  ],
  [
    'in the order of resources and then of names',
    { 'transactions.csv': '', 'z.csv': '', 'z.csv.map.yaml': 'resource: notes', 'notes.csv': '' },
    ['push notes notes.csv', 'push notes z.csv', 'push transactions transactions.csv'],
  ],
  ['of no CSV that only others need', { 'notes.csv': '', 'positions.csv': '' }, ['push notes notes.csv']],
])('the first steps are pushes %s', (_what, files, steps) => {
  expect(firstSteps(folderWith(files), 'here')).toEqual(steps);
});

test.each([{ 'positions.csv': '' }, { 'a.csv': '', 'a.csv.map.yaml': 'resource: meters' }, {}])(
  'without a CSV whose resource is known there is nothing to begin with: %j',
  (files) => {
    expect(() => firstSteps(folderWith(files), 'here')).toThrow(
      expect.objectContaining({ code: 'expectation_missing' }),
    );
  },
);

test.each(UNREADABLE_YAML)(
  'a mapping with $what is told with its place',
  ({ text, line, column, reason }) => {
    const folder = folderWith({ 'a.csv': '', 'a.csv.map.yaml': text });
    const mapping = join('here', 'a.csv.map.yaml');
    const words = `the file is not readable YAML: ${reason}`;
    const { message, facts } = appError(() => firstSteps(folder, 'here'));
    expect(message).toBe(`the mapping cannot be used (1 in all): ${words}`);
    expect(facts).toEqual({ mapping, count: 1, reason: words, file: mapping, line, column });
    expect(message).not.toContain(SECRET);
  },
);
