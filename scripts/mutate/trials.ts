// Runs the tests with the changes.

import { appendFileSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startVitest } from 'vitest/node';
import { COMPILED } from '../../test/support/compiled-code.ts';
import type { Change } from './changes.ts';
import type { Findings } from './findings.ts';
import { LOG, PLAN, TRIAL, type Entry } from './trial-log.ts';

/** How long one run of a test may take with a change, in milliseconds, before its process is killed. */
const LONGEST_TRIAL_MS = 90_000;

/**
 * Tries changes in as many processes as there are workers. Each loads the code once, with all changes behind switches. Each test runs once
 * without a change, and then with each change whose place it has run and nobody has noticed.
 * @throws Error when a test fails without a change
 */
export async function tryChanges({
  root,
  folder,
  tests,
  sources,
  open,
  workers,
  findings,
}: {
  root: string;
  folder: string;
  tests: readonly string[];
  sources: ReadonlyMap<string, string>;
  open: readonly Change[];
  workers: number;
  findings: Findings;
}): Promise<void> {
  writeFileSync(join(folder, PLAN), JSON.stringify(open.map(({ id }) => id)));
  writeFileSync(join(folder, LOG), '');
  process.env['MUTATE_FOLDER'] = folder;
  const watch = setInterval(() => endHanging(folder), 1_000);
  try {
    for (let left = tests; left.length > 0;) {
      const size = statSync(join(folder, LOG)).size;
      await run(left);
      endDead(folder);
      left = remaining(folder, left);
      if (statSync(join(folder, LOG)).size === size) throw new Error(`${left.join(', ')} cannot be run.`);
    }
  } finally {
    clearInterval(watch);
  }
  const entries = entriesOf(folder);
  const places = (kind: 'loaded' | 'ran'): ReadonlySet<string> =>
    new Set(entries.flatMap((entry) => (entry.kind === kind ? entry.ids : [])));
  const [loaded, ran] = [places('loaded'), places('ran')];
  const noticed = new Map(
    entries.flatMap((entry) => (entry.kind === 'noticed' ? [[entry.id, entry.file]] : [])),
  );
  for (const change of open) {
    const { id } = change;
    if (noticed.has(id)) findings.set(change, { end: 'noticed', by: noticed.get(id) });
    else findings.set(change, { end: ran.has(id) ? 'missed' : loaded.has(id) ? 'ignored' : 'unrun' });
  }

  async function run(files: readonly string[]): Promise<void> {
    const vitest = await startVitest(
      files.map((file) => join(root, file)),
      {
        config: false,
        root,
        run: true,
        watch: false,
        isolate: false,
        pool: 'forks',
        maxWorkers: workers,
        env: COMPILED,
        // A change that fills the memory ends its process, and nothing else.
        execArgv: ['--max-old-space-size=1024'],
        setupFiles: ['test/support/property-seed.ts'],
        globalSetup: ['test/support/compiled-query.ts'],
        runner: join(root, 'scripts', 'mutate', 'runner.ts'),
        testTimeout: 60_000,
        hookTimeout: 60_000,
        passWithNoTests: true,
        reporters: [{ onTestModuleEnd: ({ relativeModuleId }) => console.log(relativeModuleId) }],
        // Otherwise Vitest takes files as other runs have loaded them.
        fsModuleCache: false,
      },
      { plugins: [{ name: 'changes', enforce: 'pre', load: (id) => sources.get(id) }] },
    );
    await vitest.close();
    process.exitCode = 0;
    const failed = entriesOf(folder).find((entry) => entry.kind === 'fails');
    if (failed) throw new Error(`${failed.test} of ${failed.file} fails without a change: ${failed.message}`);
  }
}

/** The files of tests that have not ended: a change spoiled what their tests share, or their process died. */
function remaining(folder: string, files: readonly string[]): readonly string[] {
  const ended = new Set(entriesOf(folder).flatMap((entry) => (entry.kind === 'ended' ? entry.file : [])));
  return files.filter((file) => !ended.has(file));
}

const entriesOf = (folder: string): readonly Entry[] =>
  readFileSync(join(folder, LOG), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);

/** Kills each process that has not come back from a trial. */
function endHanging(folder: string): void {
  for (const trial of globSync(join(folder, `${TRIAL}*`)))
    if (readFileSync(trial, 'utf8') !== '' && Date.now() - statSync(trial).mtimeMs > LONGEST_TRIAL_MS)
      try {
        process.kill(Number(trial.slice(join(folder, TRIAL).length)), 'SIGKILL');
      } catch {
        // It has died by itself.
      }
}

/** Counts each change whose trial ended a process as noticed. */
function endDead(folder: string): void {
  for (const trial of globSync(join(folder, `${TRIAL}*`))) {
    const text = readFileSync(trial, 'utf8').trim();
    if (text === '') continue;
    const [id, file] = text.split(' ') as [string, string];
    appendFileSync(join(folder, LOG), `${JSON.stringify({ kind: 'noticed', id, file } satisfies Entry)}\n`);
    writeFileSync(trial, '');
  }
}
