import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import type { DocumentProblem, TextPosition } from '../../core/yaml/yaml-text.ts';

export interface SeedProblem extends DocumentProblem {
  /** `accounts[3].state`; undefined for a problem of the YAML, or of the file as a whole. */
  readonly entry: string | undefined;
}

/** How many problems one error reports. */
const MOST_PROBLEMS = 20;

/** `['api_keys', 1, 'suppliers', 0]` → `api_keys[1].suppliers[0]`; undefined for the file as a whole. */
export function entryOf(path: Path): string | undefined {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text === '' ? undefined : text.slice(1);
}

/** `seed.yaml:7:5`, which editors and terminals open. */
export function positionText({ file, line, column }: TextPosition): string {
  return `${file}:${line}:${column}`;
}

/** One error for all problems. Its cause contains an error for each of the first problems. */
export function seedInvalid(problems: readonly SeedProblem[]): AppError {
  const reported = problems.slice(0, MOST_PROBLEMS);
  const errors = reported.map(
    ({ entry, reason, ...position }) =>
      new AppError('seed_invalid', {
        ...position,
        reason: entry === undefined ? reason : `${entry}: ${reason}`,
      }),
  );
  const texts = errors.map(({ facts }, index) => `${positionText(reported[index]!)} ${facts['reason']}`);
  if (problems.length > reported.length) {
    const rest = `${problems.length - reported.length} more problems: correct these first`;
    errors.push(new AppError('seed_invalid', { reason: rest }));
    texts.push(rest);
  }
  return new AppError('seed_invalid', { reason: texts.join('; ') }, new AggregateError(errors));
}
