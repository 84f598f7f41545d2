import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A process of its own for each file: native modules and signal handlers do not share one.
    pool: 'forks',
    globalSetup: ['test/support/built-package.ts'],
    // The outer ring packs, installs and starts real processes.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { provider: 'v8', include: ['src/**'] },
  },
});
