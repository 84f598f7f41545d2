import { readYamlFile, type YamlReading } from '../options/yaml-file.ts';
import { faultsBetween } from './cross-references.ts';
import { faultsOfIssues } from './schema-faults.ts';
import { seedInvalid, type SeedFault } from './seed-fault.ts';
import { seedFile } from './seed-file.ts';
import { seedOf, type Seed } from './seed.ts';

/**
 * Reads seed files as one seed: they may refer to each other, and none may define what another defines.
 * @throws AppError `file_not_readable`; `seed_invalid` with what is wrong in all of them
 */
export function readSeed(paths: readonly string[]): Seed {
  const readings = paths.map(readSeedFile);
  const texts = readings.flatMap(({ yaml }) => yaml ?? []);
  const files = texts.map((text) => ({ text, parsed: seedFile.safeParse(text.value) }));
  const faults = [
    ...readings.flatMap(({ mistakes = [] }) => mistakes.map((mistake) => ({ ...mistake, entry: undefined }))),
    ...files.flatMap(({ text, parsed }) => faultsOfIssues(parsed.error?.issues ?? [], text)),
    ...faultsBetween(texts, { isWhole: texts.length === readings.length }),
  ];
  if (faults.length > 0) throw seedInvalid(inOrder(faults, paths));
  return seedOf(files.flatMap(({ parsed }) => parsed.data ?? []));
}

function readSeedFile(path: string): YamlReading {
  const reading = readYamlFile(path);
  if (reading.yaml?.value !== null) return reading;
  const reason = 'it is empty; the least that it says is `version: 1`';
  return { mistakes: [{ place: reading.yaml.placeOf([]), reason }] };
}

/** As an eye goes over the files. */
function inOrder(faults: readonly SeedFault[], paths: readonly string[]): readonly SeedFault[] {
  return faults.toSorted(
    ({ place: a }, { place: b }) =>
      paths.indexOf(a.file) - paths.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}
