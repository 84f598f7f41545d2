import { readYaml, type ParsedYaml, type YamlText } from '../../core/yaml/yaml-text.ts';
import { exactJson } from '../../core/values/exact-json.ts';
import { isJsonObject, plainJson } from '../../core/values/plain-json.ts';
import { readTextFile } from '../../files/text-file.ts';
import type { SeedDocument } from '../options/seed-document.ts';
import { checkedSeeds, textOfObject, seedInvalid, type SeedProblem } from './checked-seeds.ts';
import type { Seed } from './seed.ts';

/**
 * Reads seeds, each a file or an object, as one. They may refer to each other, and no two may define the same thing.
 * @throws AppError `file_not_readable`; `seed_invalid` with the problems of all seeds
 */
export function readSeed(seeds: readonly (string | SeedDocument)[]): Seed {
  const paths = seeds.map((seed, index) => (typeof seed === 'string' ? seed : `seeds[${index}]`));
  const parsedFiles = seeds.map((seed, index) =>
    typeof seed === 'string' ? readSeedFile(seed) : { yaml: textOfObject(seed, paths[index]!) },
  );
  const texts = parsedFiles.flatMap(({ yaml }) => yaml ?? []);
  const { files, problems: ofTexts } = checkedSeeds(texts, texts.length === parsedFiles.length);
  const problems = [
    ...parsedFiles.flatMap(({ problems: unreadable = [] }) =>
      unreadable.map((problem) => ({ ...problem, entry: undefined })),
    ),
    ...ofTexts,
  ];
  if (problems.length > 0) throw seedInvalid(inOrder(problems, paths));
  return files;
}

function readSeedFile(path: string): ParsedYaml {
  const text = readTextFile(path);
  const readAsYaml = () => readYaml({ file: path, text, schema: 'core' });
  // JSON is YAML, too. As JSON it is read in a fraction of the time and memory, so only places of problems are looked up in YAML.
  const json = exactJson(text) === undefined ? undefined : plainJson(text);
  if (isJsonObject(json)) {
    const yaml = textOfObject(json, path);
    let places: YamlText | undefined;
    const positionOf: YamlText['positionOf'] = (...at) =>
      (places ??= readAsYaml().yaml ?? yaml).positionOf(...at);
    return { yaml: { ...yaml, value: json, positionOf } };
  }
  const parsed = readAsYaml();
  if (parsed.yaml?.value !== null) return parsed;
  const reason = 'it is empty; a seed has at least `version: 1`';
  return { problems: [{ ...parsed.yaml.positionOf([]), reason }] };
}

function inOrder(problems: readonly SeedProblem[], paths: readonly string[]): readonly SeedProblem[] {
  return problems.toSorted(
    (a, b) => paths.indexOf(a.file) - paths.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}
