import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { COMPILED } from './test/support/compiled-code.ts';

/** Tests that start processes: the built command, npm, other programs. */
export const PROCESSES = [
  'test/{bin,browser,built,harness,scripts}/**/*.test.ts',
  'test/bad-inputs/process-limits.test.ts',
  'test/cli/csv/source-file.test.ts',
  'test/cli/try/{clients,try}.test.ts',
  'test/cli/journal/{database/second-process,inaccessible}.test.ts',
  'test/cli/scratch/scratch-files.test.ts',
  'test/docs/{readme,recipes,try,failures,verify-recipes}.test.ts',
  'test/layers/bans.test.ts',
  'test/scenarios/{kill-and-resume,query-ends,serve-ending,signals}.test.ts',
  'test/server/bad-inputs/unwritable-database.test.ts',
  'test/server/faults/fault-crash.test.ts',
  'test/server/seed/seed-problems.test.ts',
  'test/server/store/database-hold.test.ts',
];

/** The files that take longest, the longest first. */
const SLOW = [
  'harness/campaigns',
  'browser/serve-page',
  'cli/try/clients',
  'docs/failures',
  'cli/try/try',
  'docs/readme',
  'harness/two-users',
  'bad-inputs/process-limits',
  'scenarios/kill-and-resume',
  'scenarios/parity',
  'scenarios/query-source',
  'cli/parity/fitting',
  'scenarios/migrate',
].map((name) => `/test/${name}.test.ts`);

/** Runs `processes` before `in-process`, and the slow files of each first, so that no worker is idle at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const slow = SLOW.findIndex((path) => moduleId.endsWith(path));
      return (project.name === 'processes' ? 0 : 1_000) + (slow < 0 ? SLOW.length : slow);
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/** A file system in memory, so that a slow disk makes no test slow. */
const MEMORY = '/dev/shm';
/** More than all tests need at once, in bytes. */
const MEMORY_NEEDED = 4e9;

/** Variables that put the temporary folders of tests into memory, where there is enough of it. */
function temporaryFolders(): Record<string, string> {
  if (!existsSync(MEMORY)) return {};
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > MEMORY_NEEDED ? { TMPDIR: MEMORY } : {};
}

export default defineConfig({
  test: {
    env: { ...temporaryFolders(), ...COMPILED },
    pool: 'forks',
    // Two more than cores, because some tests wait for a process or for time to pass.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    // A worker runs file after file: the product keeps no state in its modules, and neither may a test.
    isolate: false,
    setupFiles: ['test/support/property-seed.ts'],
    // Long enough for a machine with ten processes for each core. A test that hangs is the only one that reaches it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 290_000 } },
    coverage: { provider: 'v8', include: ['src/**'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'in-process',
          include: ['test/**/*.test.ts'],
          exclude: PROCESSES,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: PROCESSES,
          globalSetup: ['test/support/built-package.ts'],
        },
      },
    ],
  },
});
