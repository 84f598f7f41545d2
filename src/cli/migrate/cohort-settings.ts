import { resolve } from 'node:path';
import type { Path } from '../../core/problem.ts';
import type { Io } from '../outside/io.ts';
import type { Cohort } from './read-cohort.ts';
import { lineOf } from '../settings/layer.ts';
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
  io: Pick<Io, 'cwd' | 'homeDir'>,
): Settings {
  const path = resolve(io.cwd, cohort.file);
  const given = (name: SettingName) => {
    const at = GIVEN[name];
    const text = at?.reduce<unknown>(
      (value, part) => (value as Record<string, unknown> | undefined)?.[part],
      cohort.document,
    );
    if (at === undefined || typeof text !== 'string') return undefined;
    return { text, source: lineOf(path, cohort.positionOf(at).line) };
  };
  return withDocument(settings, given, io);
}
