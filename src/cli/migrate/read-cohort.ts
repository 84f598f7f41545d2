import { basename } from 'node:path';
import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import type { Path } from '../../core/problem.ts';
import { IN_ENGLISH, keysAt } from '../../core/schema.ts';
import { suggestion } from '../../core/suggestion.ts';
import { readYaml, type DocumentProblem, type YamlText } from '../../core/yaml/yaml-text.ts';
import { cohortFile, USUAL_ORDER, type CohortFile } from './cohort-file.ts';

/** A cohort file that has no problem by itself. */
export type Cohort = ReturnType<typeof readCohort>;

/** A problem with a value of a cohort file. */
export interface CohortProblem {
  readonly path: Path;
  readonly reason: string;
  /** Whether the key is shown, not its value. */
  readonly atKey?: boolean;
}

/** Parses the text of a cohort file. */
export function readCohort(file: string, text: string) {
  const { yaml, problems: unreadable } = readYaml({ file, text, schema: 'failsafe' });
  if (!yaml) throw cohortInvalid(unreadable);
  const invalid = (problems: readonly CohortProblem[]): AppError => cohortInvalid(placed(problems, yaml));
  const parsed = cohortFile.safeParse(yaml.value, IN_ENGLISH);
  if (!parsed.success) throw invalid(parsed.error.issues.flatMap((issue) => problemsOf(issue, yaml)));
  const document = parsed.data;
  const order = document.order ?? USUAL_ORDER;
  const problems = problemsBetween(document);
  if (problems.length > 0) throw invalid(problems);
  return {
    /** As it was typed. */
    file,
    name: document.name ?? basename(file).replace(/\.ya?ml$/i, ''),
    document,
    /** The resources that have files, in the order in which an account's records are sent. */
    order: order.filter((resource) => document.resources[resource] !== undefined),
    /** Where a value was written. */
    positionOf: (path: Path) => yaml.positionOf(path),
    /** The error of a value that turns out to be wrong when it is used. */
    invalid,
  };
}

/** How many problems one error reports. */
const MOST_PROBLEMS = 20;

/** One error for all problems. Its cause contains an error for each of the first problems. */
function cohortInvalid(problems: readonly DocumentProblem[]): AppError {
  const errors = problems
    .slice(0, MOST_PROBLEMS)
    .map(
      ({ reason, file, line, column }) =>
        new AppError('document_invalid', { kind: 'cohort file', reason, file, line, column }),
    );
  const [{ file, line, column, reason }] = problems as [DocumentProblem];
  return new AppError(
    'document_invalid',
    { kind: 'cohort file', reason, file, line, column },
    new AggregateError(errors),
  );
}

function placed(problems: readonly CohortProblem[], yaml: YamlText): readonly DocumentProblem[] {
  return problems
    .map(({ path, reason, atKey = false }) => {
      const at = path.filter((part) => part !== '').join('.');
      const position = yaml.positionOf(path, atKey ? 'key' : 'value');
      return { ...position, reason: at === '' || atKey ? reason : `${at}: ${reason}` };
    })
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
}

function problemsOf(issue: z.core.$ZodIssue, yaml: YamlText): readonly CohortProblem[] {
  const path = issue.path as Path;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => {
        const instead = key === 'ids_in_two_files' ? WARNED : suggestion(key, keysAt(cohortFile, path));
        return { path: [...path, key], reason: `there is no key \`${key}\` here${instead}`, atKey: true };
      });
    case 'invalid_value':
      if (!yaml.has(path)) return [missing(path)];
      return [{ path, reason: `it must be one of ${issue.values.join(', ')}` }];
    case 'invalid_type':
      return yaml.has(path)
        ? [{ path, reason: `it must be ${KINDS[issue.expected] ?? issue.expected}` }]
        : [missing(path)];
    case 'too_small':
      return [{ path, reason: 'the list is empty' }];
    default:
      return [{ path, reason: issue.message }];
  }
}

function missing(path: Path): CohortProblem {
  return { path, reason: `the key \`${String(path.at(-1))}\` is missing`, atKey: true };
}

/** The end of a sentence about a key that is gone. */
const WARNED = '; `identifier_on_several_accounts` warns of ids that several accounts have';

const KINDS: Readonly<Record<string, string>> = { string: 'a text', object: 'an object', array: 'a list' };

/** Keys that contradict each other. */
function problemsBetween({ resources, order, checks = {} }: CohortFile): readonly CohortProblem[] {
  const problems: CohortProblem[] = [];
  const need = (resource: Resource, path: Path): void => {
    if (resources[resource] === undefined)
      problems.push({ path, reason: `${resource} has no files under \`resources\`` });
  };
  for (const [index, resource] of (order ?? []).entries())
    if (order!.indexOf(resource) !== index)
      problems.push({ path: ['order', index], reason: `${resource} is in the list already` });
  if (order)
    for (const resource of Object.keys(resources) as Resource[])
      if (!order.includes(resource))
        problems.push({ path: ['order'], reason: `${resource} has files and is not in the list` });
  for (const [index, { with: having, need: needed }] of (checks.accounts ?? []).entries()) {
    need(having, ['checks', 'accounts', index, 'with']);
    need(needed, ['checks', 'accounts', index, 'need']);
  }
  for (const [index, { of }] of (checks.totals ?? []).entries()) {
    const path = ['checks', 'totals', index, 'of'];
    need(of, path);
    if (DESCRIPTORS[of].amount === null) problems.push({ path, reason: `${of} have no amounts` });
  }
  return problems;
}
