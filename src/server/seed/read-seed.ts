import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument, type Document, type ParsedNode } from 'yaml';
import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import { sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, type Path } from '../../core/problem.ts';
import { problemsOfIssues } from '../../core/rules/schema-problems.ts';
import { problemsBetween, type NamedSeedFile } from './cross-references.ts';
import { seedFile } from './seed-file.ts';
import { seedOf, type Seed } from './seed.ts';

/** How many faults of a file are told at once. */
const MOST_FAULTS = 10;

/**
 * Reads seed files as one seed: they may refer to each other, and none may define what another defines.
 * @throws AppError `file_not_readable`, `seed_invalid`
 */
export function readSeed(paths: readonly string[]): Seed {
  const files = paths.map((file) => readFile(file, readText(file)));
  const [problem] = problemsBetween(files);
  if (problem) throw new AppError('seed_invalid', { file: problem.file, reason: problem.reason });
  return seedOf(files.map(({ content }) => content));
}

function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8' : fileReason(error);
    throw new AppError('file_not_readable', { file, reason }, error);
  }
}

function readFile(file: string, text: string): NamedSeedFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [syntaxError] = document.errors;
  if (syntaxError) throw invalid(file, [syntaxError.message.split('\n')[0]!.replace(/:$/, '')]);
  const value: unknown = document.toJS();
  if (value === null) throw invalid(file, ['it is empty; the least that it says is `version: 1`']);
  const parsed = seedFile.safeParse(value);
  if (parsed.success) return { file, content: parsed.data };
  throw invalid(
    file,
    parsed.error.issues.flatMap((issue) =>
      faultsOfIssue(issue, value).map(({ path, fault }) => `${placeOf(path, document, lines)}: ${fault}`),
    ),
  );
}

function invalid(file: string, faults: readonly string[]): AppError {
  const told = faults.slice(0, MOST_FAULTS);
  if (faults.length > told.length) told.push(`${faults.length - told.length} more`);
  return new AppError('seed_invalid', { file, reason: told.join('; ') });
}

function faultsOfIssue(issue: z.core.$ZodIssue, value: unknown): readonly { path: Path; fault: string }[] {
  const path = issue.path as Path;
  if (issue.code === 'custom' && typeof issue.params?.['seed'] === 'string')
    return [{ path, fault: issue.params['seed'] }];
  if (issue.code === 'invalid_type' && issue.expected === 'string' && isScalar(valueAt(value, path))) {
    return [{ path, fault: `YAML reads this as a ${typeof valueAt(value, path)}, not as text: quote it` }];
  }
  return problemsOfIssues([issue], value).map((problem) => {
    const known = problem.code === 'invalid_choice' ? ` (${problem.facts['known']})` : '';
    return { path: problem.path, fault: sentenceOf(problem.code, problem.facts) + known };
  });
}

/** `accounts.3.state (line 12)`; a value that is missing has the line of the object that lacks it. */
function placeOf(path: Path, document: Document, lines: LineCounter): string {
  const node = nodeAt(document, path) ?? nodeAt(document, path.slice(0, -1));
  const name = attrOfPath(path) || 'the file';
  return node?.range ? `${name} (line ${lines.linePos(node.range[0]).line})` : name;
}

function nodeAt(document: Document, path: Path): ParsedNode | undefined {
  return document.getIn(path, true) as ParsedNode | undefined;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, part) => (inner as Record<string | number, unknown> | undefined)?.[part],
    value,
  );
}
