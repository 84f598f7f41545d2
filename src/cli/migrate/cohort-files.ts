import { existsSync, globSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Resource } from '../../core/contract/resources.ts';
import type { Path } from '../../core/problem.ts';
import type { Io } from '../outside/io.ts';
import { lineOf } from '../settings/layer.ts';
import type { SettingName } from '../settings/schema.ts';
import { withDocument, type Settings } from '../settings/settings.ts';
import type { CohortProblem, Cohort } from './read-cohort.ts';
import type { SourceFlags } from '../command/flags.ts';

/** A path of a cohort file, from the folder in which the command was typed. */
export function besideCohort({ file }: Pick<Cohort, 'file'>, path: string): string {
  return isAbsolute(path) ? path : join(dirname(file), path);
}

/** The flags with which the files of one resource are read. */
export type ResourceFlags = Pick<SourceFlags, 'resource' | 'file' | 'map' | 'documents'> & {
  readonly checkPreviouslyAdded: boolean;
  readonly forceAddToCurrentStatement: boolean;
};

/**
 * The files and options of each resource, in the order in which an account's records are sent. Patterns are expanded, the
 * matches of one pattern by name.
 * @throws AppError `document_invalid` for a pattern without a match
 */
export function resourceFlags(cohort: Cohort, cwd: string): readonly ResourceFlags[] {
  const problems: CohortProblem[] = [];
  const all = cohort.order.map((resource) => {
    const given = cohort.document.resources[resource]!;
    const found = given.files.flatMap((pattern, index) => {
      const files = filesOf(besideCohort(cohort, pattern), cwd);
      if (files.length === 0)
        problems.push({ path: ['resources', resource, 'files', index], reason: 'no file matches' });
      return files;
    });
    const { transactions } = cohort.document.resources;
    const isOff = (text: string | undefined): boolean =>
      resource === ('transactions' satisfies Resource) && text === 'false';
    return {
      resource,
      file: [...new Set(found)],
      ...(given.map !== undefined && { map: besideCohort(cohort, given.map) }),
      ...(given.documents !== undefined && { documents: besideCohort(cohort, given.documents) }),
      checkPreviouslyAdded: !isOff(transactions?.check_previously_added),
      forceAddToCurrentStatement: !isOff(transactions?.force_add_to_current_statement),
    };
  });
  if (problems.length > 0) throw cohort.invalid(problems);
  return all;
}

/** No path of any system is longer. Node throws for a pattern that is longer than 65,536 characters. */
const LONGEST_PATTERN = 32_767;

/** More brackets are no pattern of a person. Each pair of them is looked at, so ten thousand take a minute. */
const MOST_BRACKETS = 100;

/** The name of a file goes before the same text as a pattern. */
function filesOf(pattern: string, cwd: string): readonly string[] {
  if (pattern.length > LONGEST_PATTERN) return [];
  if (existsSync(resolve(cwd, pattern))) return [pattern];
  return pattern.split('[').length > MOST_BRACKETS ? [] : globSync(pattern, { cwd }).toSorted();
}

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
