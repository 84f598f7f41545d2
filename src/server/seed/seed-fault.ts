import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import type { FilePlace, YamlMistake } from '../options/yaml-file.ts';

/** One thing that is wrong in a seed. */
export interface SeedFault extends YamlMistake {
  /** `accounts[3].state`; undefined for what is wrong with the YAML or the file as a whole. */
  readonly entry: string | undefined;
}

/** How many faults are told at once. */
const MOST_FAULTS = 20;

/** `['api_keys', 1, 'suppliers', 0]` → `api_keys[1].suppliers[0]`; undefined for the file as a whole. */
export function entryOf(path: Path): string | undefined {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return text === '' ? undefined : text.slice(1);
}

/** `seed.yaml:7:5`, which editors and terminals open. */
export function placeText({ file, line, column }: FilePlace): string {
  return `${file}:${line}:${column}`;
}

/** All faults as one error, whose cause has an error for each, as far as they are told. */
export function seedInvalid(faults: readonly SeedFault[]): AppError {
  const told = faults.slice(0, MOST_FAULTS);
  const errors = told.map(
    ({ place, entry, reason }) =>
      new AppError('seed_invalid', {
        ...place,
        reason: entry === undefined ? reason : `${entry}: ${reason}`,
      }),
  );
  const texts = errors.map(({ facts }, index) => `${placeText(told[index]!.place)} ${facts['reason']}`);
  if (faults.length > told.length) {
    const rest = `${faults.length - told.length} more are told once these are mended`;
    errors.push(new AppError('seed_invalid', { reason: rest }));
    texts.push(rest);
  }
  return new AppError('seed_invalid', { reason: texts.join('; ') }, new AggregateError(errors));
}
