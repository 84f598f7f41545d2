import { dirname, resolve } from 'node:path';
import type { Path } from '../../core/problem.ts';
import type { Io } from '../outside/io.ts';
import type { Cohort } from './read-cohort.ts';
import type { SettingName } from '../settings/schema.ts';
import { withDocument, type Settings } from '../settings/settings.ts';

/** The settings that a cohort file can give, and where it gives them. */
const GIVEN: Readonly<Partial<Record<SettingName, Path>>> = {
  supplier: ['supplier'],
  contract: ['contract'],
  batchSize: ['limits', 'batch_size'],
  concurrency: ['limits', 'concurrency'],
  rateLimit: ['limits', 'rate_limit'],
  retryFor: ['limits', 'retry_for'],
};

/** The settings of a command about a cohort. */
export function cohortSettings(
  cohort: Cohort,
  settings: Settings,
  { cwd, homeDir }: Pick<Io, 'cwd' | 'homeDir'>,
): Settings {
  const path = resolve(cwd, cohort.file);
  const given = (name: SettingName) => {
    const at = GIVEN[name];
    const text = at?.reduce<unknown>(
      (value, part) => (value as Record<string, unknown> | undefined)?.[part],
      cohort.document,
    );
    if (at === undefined || typeof text !== 'string') return undefined;
    const { line } = cohort.positionOf(at);
    return { text, source: { kind: 'file', file: path, line } } as const;
  };
  return withDocument(settings, { baseDir: dirname(path), given }, homeDir);
}
