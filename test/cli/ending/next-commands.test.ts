import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namingCommand, nextCommands } from '../../../src/cli/ending/next-commands.ts';
import { AppError } from '../../../src/core/app-error.ts';
import { nextStepOf } from '../../../src/core/error-codes/sentence.ts';
import type { Facts } from '../../../src/core/problem.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const FULL = { reason: 'the disk is full', remedy: 'Free space', resume: 'dataimport resume r' };
const RESUME = 'dataimport resume r --run-dir elsewhere';

test('a full disk is reported with the command that continues the run, with its flags', async () => {
  const failing = namingCommand(RESUME, () => {
    throw new AppError('run_write_failed', FULL);
  });
  const { code, facts } = await failing.catch((error: unknown) => error as { code: string; facts: Facts });
  expect([code, nextStepOf('run_write_failed', facts)]).toEqual([
    'run_write_failed',
    `Free space, then type \`${RESUME}\`. It first finds out what became of the requests in flight.`,
  ]);
});

test('any other failure stays as it is', async () => {
  const other = new AppError('run_locked', { run: 'r' });
  await expect(namingCommand(RESUME, () => Promise.reject(other))).rejects.toBe(other);
});

test('the list of unresolved rows gets the name of a file that is not there', () => {
  const cwd = temporaryFolder();
  const { unresolved } = nextCommands({ resolved: () => undefined }, {}, cwd);
  expect(unresolved({ id: 'r' })).toBe('dataimport runs show r --unresolved --csv unresolved-r.csv');
  for (const name of ['unresolved-r.csv', 'unresolved-r-2.csv']) writeFileSync(join(cwd, name), '');
  expect(unresolved({ id: 'r' })).toBe('dataimport runs show r --unresolved --csv unresolved-r-3.csv');
});
