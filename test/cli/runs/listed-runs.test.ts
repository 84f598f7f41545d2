import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { namedRuns } from '../../../src/cli/runs/listed-runs.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('a run file is found by its path, also when the folder of runs cannot be read', () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'kept.sqlite'), '');
  const runDir = join(cwd, 'kept.sqlite');
  expect(namedRuns(['kept.sqlite'], cwd, [runDir]).folders).toEqual(new Map([[cwd, new Set(['kept'])]]));
  expect(() => namedRuns(['kept'], cwd, [runDir])).toThrow();
});
