import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandWords, stepWords } from '../../../src/cli/replay/command-words.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { writeFixture } from '../../support/replay-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test.each([
  ['push notes notes.csv', ['push', 'notes', 'notes.csv']],
  ['  push   notes\tnotes.csv ', ['push', 'notes', 'notes.csv']],
  [`check notes 'a b.csv'`, ['check', 'notes', 'a b.csv']],
  ['check notes "a b.csv"', ['check', 'notes', 'a b.csv']],
  ['check notes a\\ b.csv', ['check', 'notes', 'a b.csv']],
  ['check notes "a \\"b\\" c.csv"', ['check', 'notes', 'a "b" c.csv']],
  [`check notes 'a'"b"c`, ['check', 'notes', 'abc']],
  [`check notes ''`, ['check', 'notes', '']],
  // Nothing expands.
  ['check notes *.csv $HOME ~ `x`', ['check', 'notes', '*.csv', '$HOME', '~', '`x`']],
  ['push notes serve.csv', ['push', 'notes', 'serve.csv']],
])('%s is split as a shell splits it', (command, words) => {
  expect(commandWords(command)).toEqual(words);
});

/** A fixture beside a file that is not its own, and `replay` typed in the folder above both. */
function besidePrecious(changed: Readonly<Record<string, string | null>> = {}) {
  const cwd = temporaryFolder();
  writeFixture(join(cwd, 'small'), changed);
  writeFileSync(join(cwd, 'precious'), 'precious\n');
  return { cwd, replay: () => runCli(['replay', 'small'], fakeIo({ cwd })) };
}

describe('a step', () => {
  test.each([
    ['push transactions transactions.csv --skip-invalid -j 1', true],
    ['push transactions transactions.csv -j16 --map=a.map.yaml', true],
    ['check notes notes.csv --map a.map.yaml --supplier X', true],
    ['migrate t.csv', true],
    ['migrate cohort.yaml --wait-for-accounts 10m', true],
    ['resume', true],
    ['push transactions t.csv --rejects ../dot_profile', false],
    ['push transactions t.csv --rejects own.csv', false],
    ['push transactions t.csv --record=own.json', false],
    ['push transactions t.csv --log-file own.log', false],
    ['push transactions t.csv --base-url https://platform.example', false],
    ['push transactions t.csv --config own.yaml', false],
    ['push transactions ../t.csv', false],
    ['push transactions a/../../t.csv', false],
    ['push transactions /etc/hostname', false],
    ['push transactions -', false],
    ['push transactions t.csv --map=../a.map.yaml', false],
    ['push transactions t.csv --show-values', false],
    ['--json push transactions t.csv', false],
    ['runs forget x', false],
    ['serve --port 0', false],
    ['demo', false],
    ['replay .', false],
    ['admin reset', false],
    ['', false],
    ["push 'notes", false],
    ['push notes\\', false],
  ])('`%s` is run: %s', (command, isRun) => {
    const check = () => stepWords(command);
    if (isRun) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'document_invalid' }));
  });

  test('that would replace a file is refused, and the step before it has not run', async () => {
    const { cwd, replay } = besidePrecious({
      'expected.yaml': `version: 1
today: 2026-11-21
steps:
  - command: push transactions transactions.csv
  - command: push transactions transactions.csv --record ../precious
`,
    });
    const { exitCode, stdout, stderr } = await replay();
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('`--record` cannot be replayed');
    expect(readFileSync(join(cwd, 'precious'), 'utf8')).toBe('precious\n');
  });
});

test.each(['dataimport.config.yaml', '../dataimport.config.yaml'])(
  'a configuration file does not reach the steps of a fixture: %s',
  async (name) => {
    const { cwd, replay } = besidePrecious();
    writeFileSync(join(cwd, 'small', name), 'batchSize: none\nlogFile: ../precious\n');
    expect((await replay()).exitCode).toBe(0);
    expect(readFileSync(join(cwd, 'precious'), 'utf8')).toBe('precious\n');
  },
);
