import { defineConfig } from 'vitest/config';

/** Tests that start processes: the built command, npm, other programs. */
const PROCESSES = [
  'test/{bin,built,harness,scripts}/**/*.test.ts',
  'test/bad-inputs/process-limits.test.ts',
  'test/cli/csv/source-file.test.ts',
  'test/cli/run-file/{folder-lock,run-database,scratch}.test.ts',
  'test/docs/{readme,recipes,what-happens-if}.test.ts',
  'test/fixtures/quickstart.test.ts',
  'test/layers/bans.test.ts',
  'test/scenarios/{kill-and-resume,serve-ending,signals}.test.ts',
  'test/server/bad-inputs/unwritable-database.test.ts',
  'test/server/faults/fault-crash.test.ts',
  'test/server/seed/seed-problems.test.ts',
  'test/server/store/database-hold.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    // By default one core stays idle.
    maxWorkers: '100%',
    // Long enough for a machine that has other work to do. A test that hangs is the only one that reaches it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: { provider: 'v8', include: ['src/**'] },
    projects: [
      {
        extends: true,
        // One worker runs file after file: the product keeps no state in its modules, and neither may a test.
        test: { name: 'in-process', include: ['test/**/*.test.ts'], exclude: PROCESSES, isolate: false },
      },
      {
        extends: true,
        test: { name: 'processes', include: PROCESSES, globalSetup: ['test/support/built-package.ts'] },
      },
    ],
  },
});
