import { Document, parseDocument, visit, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import { IN_ENGLISH } from '../../core/schema.ts';
import { readYaml, type TextPosition } from '../../core/yaml/yaml-text.ts';
import { expectation, type Expectation, type ReplayStep } from './expectation.ts';

/**
 * Parses the text of an expectation. The first problem is reported with its position.
 * @throws AppError `expectation_invalid`
 */
export function readExpectation(file: string, text: string): Expectation {
  const { yaml, problems } = readYaml({ file, text, schema: 'core' });
  if (!yaml) {
    const [{ reason, ...position }] = problems;
    throw invalid(position, `it is not readable YAML: ${reason}`);
  }
  const parsed = expectation.safeParse(yaml.value, IN_ENGLISH);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw invalid(yaml.positionOf(issue.path as Path), reasonOf(issue));
}

/** The text of an expectation. Each item of a list is a flow mapping on a line of its own. */
export function expectationText({ version, today, contract, faults, steps, ledger }: Expectation): string {
  const document = new Document({
    version,
    today,
    ...(contract !== undefined && { contract }),
    ...(faults !== undefined && { faults }),
    steps: [],
  });
  for (const { command, exit } of steps) document.addIn(['steps'], document.createNode({ command, exit }));
  return writeResults(document, steps, ledger);
}

/** The text of `before` with the results of `actual`. Comments and parts that are not compared stay. */
export function updatedText(before: string, { steps, ledger }: Expectation): string {
  const document = parseDocument(before);
  // Aliases become copies, because the result of one step must not change the steps that repeat it.
  visit(document, {
    Alias: (_, alias) => {
      const own = alias.resolve(document)!.clone() as Scalar | YAMLMap | YAMLSeq;
      delete own.anchor;
      return own;
    },
  });
  return writeResults(document, steps, ledger);
}

type AnyDocument = Document | Document.Parsed;

const STEP_RESULTS = ['exit', 'rows', 'control_totals', 'problems', 'problems_total'] as const;

function writeResults(
  document: AnyDocument,
  steps: readonly ReplayStep[],
  ledger: Expectation['ledger'],
): string {
  for (const [index, step] of steps.entries()) {
    for (const name of STEP_RESULTS) write(document, ['steps', index, name], step[name]);
  }
  write(document, ['ledger'], ledger);
  return document.toString({ lineWidth: 0, singleQuote: true });
}

function write(document: AnyDocument, path: readonly (string | number)[], value: unknown): void {
  if (value === undefined) document.deleteIn(path);
  else if (!Array.isArray(value)) document.setIn(path, document.createNode(value, { flow: true }));
  else if (value.length === 0) document.setIn(path, document.createNode([], { flow: true }));
  else {
    document.setIn(path, document.createNode([]));
    for (const item of value) document.addIn(path, document.createNode(item, { flow: true }));
  }
}

function reasonOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  const message = `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  const reason = issue.code === 'custom' ? 'must be a calendar date such as 2026-11-21' : message;
  return path === '' ? reason : `${path}: ${reason}`;
}

function invalid({ file, line, column }: TextPosition, reason: string): AppError {
  return new AppError('expectation_invalid', { file, line, column, reason });
}
