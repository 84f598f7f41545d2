import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { parseDocument, visit, type Document, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type * as z from 'zod/mini';
import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import { IN_ENGLISH } from '../../core/schema.ts';
import { readYaml, type TextPosition } from '../../core/yaml/yaml-text.ts';
import { expectation, type Expectation, type LedgerLine, type ReplayStep } from './expectation.ts';

/** Parses the text of an expectation. The first problem is reported with its position. */
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

/** Equal lines around a difference. */
const CONTEXT = 3;

/** The difference between an expectation and a replay, as a unified diff of its file; null when they are equal. */
export function differenceOf(
  { file, text, expected }: { readonly file: string; readonly text: string; readonly expected: Expectation },
  { steps, ledger }: Expectation,
): string | null {
  const compared = {
    ...expected,
    steps: steps.map((step, index) => asFarAs(expected.steps[index]!, step)),
    ledger: expected.ledger && ledgerAsFarAs(expected.ledger, ledger ?? []),
  };
  const [before, after] = [expected, compared].map((each) => updatedText(text, each));
  if (before === after) return null;
  const names = [`${file} (expected)`, `${file} (actual)`] as const;
  return createTwoFilesPatch(...names, before!, after!, undefined, undefined, {
    context: CONTEXT,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

/** The result of a step without the parts that its expectation leaves out. */
function asFarAs(expected: ReplayStep, { command, exit, ...rest }: ReplayStep): ReplayStep {
  const compared = Object.entries(rest).filter(([name]) => expected[name as keyof ReplayStep] !== undefined);
  return { command, exit, ...Object.fromEntries(compared) };
}

/** The ledger without digests, unless the expectation has digests. */
function ledgerAsFarAs(
  expected: readonly LedgerLine[],
  actual: readonly LedgerLine[],
): readonly LedgerLine[] {
  if (expected.some(({ content }) => content !== undefined)) return actual;
  return actual.map(({ content: _content, ...line }) => line);
}

const STEP_RESULTS = ['exit', 'rows', 'control_totals', 'problems', 'problems_total'] as const;

/** The text of an expectation with other results, each item of a list on a line of its own. Comments and the rest stay. */
export function updatedText(text: string, { steps, ledger }: Expectation): string {
  const document = parseDocument(text);
  // Aliases become copies, because the result of one step must not change the steps that repeat it.
  visit(document, {
    Alias: (_, alias) => {
      const own = alias.resolve(document)!.clone() as Scalar | YAMLMap | YAMLSeq;
      delete own.anchor;
      return own;
    },
  });
  for (const [index, step] of steps.entries()) {
    for (const name of STEP_RESULTS) write(document, ['steps', index, name], step[name]);
  }
  write(document, ['ledger'], ledger);
  return document.toString({ lineWidth: 0, singleQuote: true });
}

function write(document: Document.Parsed, path: readonly (string | number)[], value: unknown): void {
  if (value === undefined) return void document.deleteIn(path);
  const items = Array.isArray(value) ? value : [];
  const isList = items.length > 0;
  document.setIn(path, document.createNode(isList ? [] : value, { flow: !isList }));
  for (const item of items) document.addIn(path, document.createNode(item, { flow: true }));
}

function reasonOf(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  const message = `${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  const reason = issue.code === 'custom' ? 'must be a calendar date such as 2026-11-21' : message;
  return path === '' ? reason : `${path}: ${reason}`;
}

function invalid({ file, line, column }: TextPosition, reason: string): AppError {
  return new AppError('document_invalid', { kind: 'expectation', file, line, column, reason });
}
