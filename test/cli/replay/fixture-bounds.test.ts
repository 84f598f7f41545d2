import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertStep } from '../../../src/cli/replay/fixture-bounds.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { SMALL_FIXTURE, writeFixture } from '../../support/replay-fixture.ts';
import { projectRoot } from '../../support/source-tree.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
    ['check notes notes.csv --map a.map.yaml --supplier /x', true],
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
    ['push transactions t.csv --map t.csv', false],
    ['migrate t.csv', false],
    ['migrate --dry-run t.csv', false],
    ['--json push transactions t.csv', false],
    ['runs forget x', false],
    ['serve --port 0', false],
    ['demo', false],
    ['replay .', false],
    ['admin reset', false],
    ['', false],
  ])('`%s` is run: %s', (command, isRun) => {
    const check = () => assertStep(command);
    if (isRun) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'expectation_invalid' }));
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

  test('of each fixture of the project is run', () => {
    const steps = ['night', 'gzip-wrong-rows', 'operator-halmere'].flatMap((name) =>
      [
        ...readFileSync(join(projectRoot, 'fixtures', name, 'expected.yaml'), 'utf8').matchAll(
          /command: (.+)/g,
        ),
      ].map(([, command]) => command!),
    );
    expect(steps.length).toBeGreaterThan(6);
    for (const step of steps) expect(() => assertStep(step)).not.toThrow();
  });
});

test.each(['halmere', 'ostrelle'])('the fixture of %s has the contract of the operator', (operator) => {
  const [own, original] = [`operator-${operator}`, `contracts/${operator}`].map((folder) =>
    readFileSync(join(projectRoot, 'fixtures', folder, 'contract.json'), 'utf8'),
  );
  expect(own).toBe(original);
});

describe('a fixture with', () => {
  test.each<[string, string, string]>([
    ['a lookup table above it', 'a.map.yaml', 'fields: { type: { lookup: { file: ../precious } } }'],
    ['a file of this machine', 'a.yaml', 'files: [/etc/hostname]'],
    ['a pattern that begins at the root', 'a.yml', "files: ['/{etc,var}/*']"],
    ['a mapping that is not searched', 'a.yaml', 'map: transactions.csv'],
    ['a setting', 'dataimport.config.yaml', 'apiKeyFile: ../precious'],
  ])('%s in a document is refused, and the file is not shown', async (_what, name, text) => {
    const { exitCode, stdout, stderr } = await besidePrecious({ [name]: text }).replay();
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^dataimport: error file_not_readable small/${name} `));
    expect(stderr).not.toContain('precious\n');
  });

  test('texts that only look like names is replayed', async () => {
    const text = "note: ['/', '/N', 'see ../precious', '3/4', '...']";
    expect((await besidePrecious({ 'a.yaml': text }).replay()).exitCode).toBe(0);
  });

  test('a link to a file above it is refused', async () => {
    const { cwd, replay } = besidePrecious({ 'transactions.csv': null });
    symlinkSync('../precious', join(cwd, 'small', 'transactions.csv'));
    const { exitCode, stderr } = await replay();
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining(
        'small/transactions.csv cannot be read: it is a link that leads out of the fixture',
      ),
    ]);
  });

  test('a link to a folder above it is refused, and a link inside is replayed', async () => {
    const { cwd, replay } = besidePrecious({
      'own.csv': SMALL_FIXTURE['transactions.csv'],
      'transactions.csv': null,
    });
    symlinkSync('own.csv', join(cwd, 'small', 'transactions.csv'));
    mkdirSync(join(cwd, 'small', 'deep'));
    expect((await replay()).exitCode).toBe(0);
    symlinkSync('../..', join(cwd, 'small', 'deep', 'up'));
    expect((await replay()).exitCode).toBe(2);
  });

  test('a link to a folder above it is not followed, which may have more than any memory holds', async () => {
    const { cwd, replay } = besidePrecious();
    mkdirSync(join(cwd, 'maze'));
    // Three ways from each place to the same place: three to the power of forty paths.
    for (const name of ['a', 'b', 'c']) symlinkSync('.', join(cwd, 'maze', name));
    symlinkSync('../maze', join(cwd, 'small', 'out'));
    const { exitCode, stderr } = await replay();
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('small/out cannot be read: it is a link'),
    ]);
  });

  test('a configuration file in the folder above it does not follow it', async () => {
    const { cwd, replay } = besidePrecious();
    writeFileSync(join(cwd, 'dataimport.config.yaml'), 'batchSize: none\n');
    expect((await replay()).exitCode).toBe(0);
  });

  test('another name of a file of its own is replayed', async () => {
    const { cwd, replay } = besidePrecious();
    linkSync(join(cwd, 'small', 'seed.yaml'), join(cwd, 'small', 'again.csv'));
    expect((await replay()).exitCode).toBe(0);
    expect(existsSync(join(cwd, 'small', 'again.csv'))).toBe(true);
  });
});
