import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, type Problem } from '../../core/problem.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import { readCsv } from '../csv/read-csv.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { ExitName } from '../exit-codes.ts';
import type { DocumentProblem } from '../mapping/file/document-problem.ts';
import { loadMapping } from '../mapping/file/load-mapping.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import { planByMapping } from '../mapping/compile/plan-by-mapping.ts';
import { locate } from '../push/locate.ts';
import { exitDocument, type JsonDocument } from '../render/json-output.ts';
import { problemLine, type ReportedProblem } from '../render/problem-line.ts';
import { counted, escapeControl } from '../render/text.ts';
import { joinsOf, openerOf } from './mapping-of.ts';

export interface MapCheckOptions {
  readonly mapping: string;
  readonly file?: string;
}

export const mapCheck: CommandDeclaration<MapCheckOptions> = {
  name: 'map check',
  group: 'Migrate',
  summary: 'Check a mapping file, alone or with a file it is for',
  description:
    'Prints everything that is wrong with a mapping file as file:line:column. With a CSV file it is also held against the header: columns that the mapping names and the file lacks, columns that nothing uses. Rows are for `check`.',
  examples: [
    'dataimport map check transactions.csv.map.yaml',
    'dataimport map check supplier.map.yaml transactions.csv --supplier ACME',
  ],
  settings: ['supplier'],
  declare: (command) =>
    void command
      .argument('<mapping>', 'mapping file')
      .argument('[file]', 'CSV file whose header it has to fit'),
  run,
};

/** A problem, and what to do about it. */
type CheckedProblem = ReportedProblem & { readonly next: string | null };

interface MapCheckDocument extends JsonDocument {
  readonly mapping: string;
  /** Null when the mapping cannot be used. */
  readonly resource: string | null;
  readonly problems: readonly CheckedProblem[];
}

async function run(options: MapCheckOptions, context: CommandContext): Promise<ExitName> {
  const { mapping, problems: ofMapping } = await loadMapping(options.mapping, openerOf(context));
  const problems: readonly CheckedProblem[] =
    mapping && options.file !== undefined
      ? await headerProblems(mapping, options.file, context)
      : ofMapping.map(reported);
  const hasError = problems.some(({ severity }) => severity === 'error');
  const exit = ofMapping.length > 0 ? 'USAGE' : hasError ? 'INPUT_INVALID' : 'OK';
  context.document({
    version: 1,
    exit: exitDocument(exit),
    mapping: options.mapping,
    resource: mapping?.resource ?? null,
    problems,
  } satisfies MapCheckDocument);
  if (!context.globals.json) context.io.stdout.write(textOf(problems, options, hasError));
  return exit;
}

function reported({ file, line, column, problem }: DocumentProblem): CheckedProblem {
  return {
    code: problem.code,
    severity: problem.severity,
    file,
    line,
    column,
    attr: attrOfPath(problem.path),
    detail: sentenceOf(problem.code, problem.facts),
    next: nextStepOf(problem.code, problem.facts),
  };
}

async function headerProblems(
  mapping: Mapping,
  name: string,
  context: CommandContext,
): Promise<readonly CheckedProblem[]> {
  const source = await openSourceFile(name, context.io.cwd);
  context.onClose(() => source.close());
  const supplier = (await context.settings()).get('supplier');
  const joins = (await joinsOf(mapping, [name], context)).tablesFor(name);
  const nowhere = { file: name, line: null, column: null, header: null };
  for await (const item of readCsv(source, mapping.format)) {
    if (item.kind === 'header') {
      const { problems } = planByMapping(mapping, item.names, { supplier, joins });
      return problems.map(({ problem, cell }) =>
        locate(asOfMapping(problem), { ...nowhere, ...cell, file: name, line: item.line }),
      );
    }
    if (item.kind === 'unreadable') return [locate(item.problem, { ...nowhere, line: item.line })];
  }
  return [];
}

/** A mapping without a supplier is whole: the command that uses it says which. */
function asOfMapping(problem: Problem): Problem {
  return problem.code === 'mapping_supplier_missing' ? { ...problem, severity: 'warning' } : problem;
}

function textOf(
  problems: readonly CheckedProblem[],
  { mapping, file }: MapCheckOptions,
  hasError: boolean,
): string {
  const lines = problems.map((problem) => `${problemLine(problem)}\n`);
  const steps = new Set(problems.flatMap(({ next }) => (next === null ? [] : [next])));
  const verdict = hasError
    ? counted(problems.length, 'problem')
    : `${escapeControl(mapping)} ${file === undefined ? 'is a valid mapping' : `fits the header of ${escapeControl(file)}`}`;
  return [...lines, `${verdict}\n`, ...[...steps].map((step) => `next: ${escapeControl(step)}\n`)].join('');
}
