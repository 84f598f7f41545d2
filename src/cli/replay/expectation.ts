import * as z from 'zod/mini';
import { date } from '../../core/contract/field.ts';
import { RECORD_KINDS } from '../../core/contract/resources.ts';
import { EXITS } from '../output/exit-codes.ts';
import type { RowCounts } from '../push/ports/report.ts';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { parseDocument, visit, type Document, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { AppError } from '../../core/app-error.ts';
import type { Path } from '../../core/problem.ts';
import { IN_ENGLISH, type Immutable } from '../../core/schema.ts';
import { readYaml, type TextPosition } from '../../core/yaml/yaml-text.ts';

/** The name of the file in a fixture folder. */
export const EXPECTATION_FILE = 'expected.yaml';

/** Number of problems of a step that are written and compared. */
export const MOST_PROBLEMS = 20;

/** The counts of a run, in the order in which they are written. */
const ROW_COUNTS = [
  'read',
  'created',
  'existing',
  'verify',
  'rejected',
  'unknown',
  'not_sent',
  'invalid',
  'filtered',
] as const satisfies readonly (keyof RowCounts)[];

const count = z.int().check(z.nonnegative());

/** Text, because YAML would read `12.50` as the number 12.5. */
const decimalText = z
  .string()
  .check(z.regex(/^-?\d+(\.\d+)?$/, "must be a decimal in quotes, such as '12.50'"));

/** Exits that can be expected. A bug cannot. */
const EXIT_NAMES = [...new Set(Object.values(EXITS).map(({ name }) => name))].filter(
  (name) => name !== 'BUG' && name !== 'DIFFERENT',
);

const controlTotal = z.strictObject({
  /** Left out where a resource has no types. */
  type: z.optional(z.string()),
  count,
  /** Left out where a resource has no amounts. */
  read: z.optional(decimalText),
  accepted: z.optional(decimalText),
});

const problem = z.strictObject({
  code: z.string(),
  file: z.optional(z.string()),
  line: z.optional(count),
  column: z.optional(count),
});

const step = z.strictObject({
  /** Everything after `dataimport`. */
  command: z.string().check(z.minLength(1)),
  exit: z.string(),
  /** Counts that are not zero. */
  rows: z.optional(z.pipe(z.partialRecord(z.enum(ROW_COUNTS), count), z.transform(countedRows))),
  control_totals: z.optional(z.array(controlTotal)),
  /** The first `MOST_PROBLEMS` problems, in the order of the report. */
  problems: z.optional(z.array(problem).check(z.maxLength(MOST_PROBLEMS))),
  /** Number of all problems, listed or not. */
  problems_total: z.optional(count),
});

const ledgerLine = z.strictObject({
  kind: z.enum(RECORD_KINDS),
  type: z.optional(z.string()),
  count,
  sum: z.optional(decimalText),
  /** Digest of every field of these records. It changes when any field changes. */
  content: z.optional(z.string()),
});

/** What a replay of a fixture folder is compared with. Parts that a step or the file leaves out are not compared. */
export const expectation = z.strictObject({
  version: z.literal(1),
  /** The day of the replay, in UTC. A fixed day keeps future dates in the future. */
  today: date(),
  /** A contract.json, relative to the folder. The platform answers by it, and every step applies it. */
  contract: z.optional(z.string().check(z.minLength(1))),
  /** Fault rules of the platform, as `serve --fault` takes them. */
  faults: z.optional(z.array(z.string().check(z.minLength(1)))),
  /** A step without an exit is expected to end with OK. */
  steps: z.array(z.extend(step, { exit: z._default(z.enum(EXIT_NAMES), 'OK') })).check(z.minLength(1)),
  /** Everything that the platform has at the end, by kind and type. */
  ledger: z.optional(z.array(ledgerLine)),
});

/** Counts in their order and without zeros, because a zero means the same as no count. */
export function countedRows(rows: Readonly<Record<string, number | undefined>>): Partial<RowCounts> {
  return Object.fromEntries(ROW_COUNTS.flatMap((name) => (rows[name] ? [[name, rows[name]]] : [])));
}

/** One command line of a replay, and its result. */
export type ReplayStep = Immutable<z.infer<typeof step>>;
/** The records of one kind and type on the platform. */
export type LedgerLine = Immutable<z.infer<typeof ledgerLine>>;

/** A replay, expected or actual. */
export type Expectation = Immutable<z.infer<typeof expectation>>;

type ReplayResult = Pick<Expectation, 'steps' | 'ledger'>;

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
  { steps, ledger = [] }: ReplayResult,
): string | null {
  const before = updatedText(text, expected);
  const hasContent = expected.ledger?.some(({ content }) => content !== undefined);
  const lines = hasContent ? ledger : ledger.map(({ content: _content, ...line }) => line);
  const after = updatedText(before, { steps, ledger: lines }, { adds: false });
  if (before === after) return null;
  const names = [`${file} (expected)`, `${file} (actual)`] as const;
  return createTwoFilesPatch(...names, before, after, undefined, undefined, {
    context: CONTEXT,
    headerOptions: FILE_HEADERS_ONLY,
  });
}

const STEP_RESULTS = ['exit', 'rows', 'control_totals', 'problems', 'problems_total'] as const;

/**
 * The text of an expectation with other results, each item of a list on a line of its own. Comments and the rest stay. `adds`: whether
 * results are written that the text leaves out.
 */
export function updatedText(
  text: string,
  { steps, ledger }: ReplayResult,
  { adds } = { adds: true },
): string {
  const document = parseDocument(text);
  // Aliases become copies, because the result of one step must not change the steps that repeat it.
  visit(document, {
    Alias: (_, alias) => {
      const own = alias.resolve(document)!.clone() as Scalar | YAMLMap | YAMLSeq;
      delete own.anchor;
      return own;
    },
  });
  const results = [
    ...steps.flatMap((step, index) =>
      STEP_RESULTS.map((name) => [['steps', index, name], step[name]] as const),
    ),
    [['ledger'], ledger] as const,
  ];
  for (const [path, value] of results) if (adds || document.hasIn(path)) write(document, path, value);
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
