// node scripts/check.mjs [step...]
//
// Every check that has to pass before a change is merged, the cheapest first. Stops at the first step that fails.
// `npm test` and CI both run all steps.

import { performance } from 'node:perf_hooks';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Step → what Node is called with, from the root of the project. */
const steps = {
  lock: ['scripts/check-lock.mjs'],
  size: ['scripts/size.mjs'],
  typecheck: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
  'typecheck:page': ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.page.json'],
  lint: ['node_modules/oxlint/bin/oxlint'],
  format: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  knip: ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors'],
  tests: ['node_modules/vitest/vitest.mjs', 'run'],
};

process.exitCode = await check(process.argv.slice(2));

async function check(names) {
  const unknown = names.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length > 0) {
    console.error(`check: no step ${unknown.join(', ')}; the steps are ${Object.keys(steps).join(', ')}`);
    return 2;
  }
  for (const name of names.length > 0 ? names : Object.keys(steps)) {
    console.log(`== ${name}`);
    const started = performance.now();
    const exitCode = await run(process.execPath, steps[name], { cwd: root });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `== ${name}: ${exitCode === 0 ? 'passed' : `failed (exit code ${exitCode})`} after ${seconds} s\n`,
    );
    if (exitCode !== 0) return exitCode;
  }
  return 0;
}
