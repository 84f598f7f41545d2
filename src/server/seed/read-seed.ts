import { readYaml, type DocumentProblem, type ParsedYaml } from '../../core/yaml/yaml-text.ts';
import type { Path } from '../../core/problem.ts';
import { JsonSyntaxError, parseExactJson } from '../../core/values/exact-json.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { readTextFile } from '../../files/text-file.ts';
import type { SeedDocument } from '../options/seed-document.ts';
import { checkedSeeds, textOfObject, seedInvalid, type SeedProblem } from './checked-seeds.ts';
import { SEED_VERSION } from './seed-file.ts';
import type { Seed } from './seed.ts';

/**
 * Reads seeds, each a file or an object, as one. They may refer to each other, and no two may define the same thing.
 * @throws AppError `file_not_readable`; `seed_invalid` with the problems of all seeds
 */
export function readSeed(seeds: readonly (string | SeedDocument)[]): Seed {
  const parsedFiles = seeds.map((seed, index) =>
    typeof seed === 'string' ? readSeedFile(seed) : { yaml: textOfObject(seed, nameOfObject(index)) },
  );
  const paths = seeds.map((seed, index) => (typeof seed === 'string' ? seed : nameOfObject(index)));
  const texts = parsedFiles.flatMap(({ yaml }) => yaml ?? []);
  const { files, problems: ofTexts } = checkedSeeds(texts, { isWhole: texts.length === parsedFiles.length });
  const problems = [
    ...parsedFiles.flatMap(({ problems: unreadable = [] }) =>
      unreadable.map((problem) => ({ ...problem, entry: undefined })),
    ),
    ...ofTexts,
  ];
  if (problems.length > 0) throw seedInvalid(inOrder(problems, paths));
  return files;
}

const nameOfObject = (index: number): string => `seeds[${index}]`;

function readSeedFile(path: string): ParsedYaml {
  // JSON is YAML, too.
  const parsed = isAccountLines(path)
    ? readAccountLines(path)
    : readYaml({ file: path, text: readTextFile(path), schema: 'core' });
  if (parsed.yaml?.value !== null) return parsed;
  const reason = 'it is empty; a seed has at least `version: 1`';
  return { problems: [{ ...parsed.yaml.positionOf([]), reason }] };
}

function inOrder(problems: readonly SeedProblem[], paths: readonly string[]): readonly SeedProblem[] {
  return problems.toSorted(
    (a, b) => paths.indexOf(a.file) - paths.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

const isAccountLines = (file: string): boolean => /\.(?:jsonl|ndjson)$/i.test(file);

/**
 * Reads accounts, one JSON object a line, as a seed that has nothing but these accounts. For tens of thousands of accounts: YAML
 * takes several times as long and as much memory.
 */
function readAccountLines(file: string): ParsedYaml {
  const accounts: unknown[] = [];
  const lines: number[] = [];
  const problems: DocumentProblem[] = [];
  for (const [index, text] of readTextFile(file).split('\n').entries()) {
    if (text.trim() === '') continue;
    try {
      accounts.push(valueOf(text));
      lines.push(index + 1);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      problems.push({ file, line: index + 1, column: error.position + 1, reason: error.message });
    }
  }
  const [first, ...rest] = problems;
  if (first) return { problems: [first, ...rest] };
  return {
    yaml: {
      file,
      value: { version: SEED_VERSION, accounts },
      positionOf: ([, index]: Path) => ({ file, line: lines[index as number] ?? 1, column: 1 }),
      has: ([, index]: Path) => lines[index as number] !== undefined,
    },
  };
}

/** @throws JsonSyntaxError also for a key that comes twice, of which JSON.parse takes the last in silence */
function valueOf(text: string): unknown {
  const value = plainJson(text);
  // A text that is written again as it was has no key twice. This takes a third of the time of the exact reader.
  if (value === undefined || JSON.stringify(value) !== text) parseExactJson(text);
  return value;
}
