import type { ParsedYaml } from '../../core/yaml/yaml-text.ts';
import { readYamlFile } from '../options/yaml-file.ts';
import { isAccountLines, readAccountLines } from './account-lines.ts';
import { problemsBetween } from './cross-references.ts';
import { problemsOfSchema } from './entry-problems.ts';
import { seedFile } from './seed-file.ts';
import { seedInvalid, type SeedProblem } from './seed-problem.ts';
import { seedOf, type Seed } from './seed.ts';

/**
 * Reads seed files as one seed. The files may refer to each other, and no two may define the same thing.
 * @throws AppError `file_not_readable`; `seed_invalid` with the problems of all files
 */
export function readSeed(paths: readonly string[]): Seed {
  const parsedFiles = paths.map(readSeedFile);
  const texts = parsedFiles.flatMap(({ yaml }) => yaml ?? []);
  const files = texts.map((text) => ({ text, parsed: seedFile.safeParse(text.value) }));
  const problems = [
    ...parsedFiles.flatMap(({ problems: unreadable = [] }) =>
      unreadable.map((problem) => ({ ...problem, entry: undefined })),
    ),
    ...files.flatMap(({ text, parsed }) => problemsOfSchema(parsed.error?.issues ?? [], text)),
    ...problemsBetween(texts, { isWhole: texts.length === parsedFiles.length }),
  ];
  if (problems.length > 0) throw seedInvalid(inOrder(problems, paths));
  return seedOf(files.flatMap(({ parsed }) => parsed.data ?? []));
}

function readSeedFile(path: string): ParsedYaml {
  const parsed = isAccountLines(path) ? readAccountLines(path) : readYamlFile(path);
  if (parsed.yaml?.value !== null) return parsed;
  const reason = 'it is empty; a seed has at least `version: 1`';
  return { problems: [{ ...parsed.yaml.positionOf([]), reason }] };
}

/** In the order of files, lines and columns. */
function inOrder(problems: readonly SeedProblem[], paths: readonly string[]): readonly SeedProblem[] {
  return problems.toSorted(
    (a, b) => paths.indexOf(a.file) - paths.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}
