import { nextStepOf, sentenceOf } from '../../core/error-codes/sentence.ts';
import { attrOfPath, type Problem } from '../../core/problem.ts';
import type { OnClose } from '../command/command-ports.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { readSource } from '../csv/read-source.ts';
import { eachItem } from '../csv/source-row.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { MappingProblem } from '../mapping/file/mapping-problem.ts';
import { missingFieldsOfTypes } from '../mapping/file/fields-of-types.ts';
import { loadMapping } from '../mapping/file/load-mapping.ts';
import type { Mapping } from '../mapping/language/mapping.ts';
import { querySpecOf, type QuerySpec } from '../mapping/language/source.ts';
import { mappingWarnings } from '../mapping/compile/mapping-warnings.ts';
import { planByMapping } from '../mapping/compile/plan-by-mapping.ts';
import type { CellProblem } from '../mapping/mapping-plan.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import { appliedContract } from '../sources/applied-contract.ts';
import { loadQueries } from '../query/load-query.ts';
import { filesOf, joinsOf, openerIn } from '../sources/mapped-by-file.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { problemLine, type ReportedProblem } from '../output/text/problem-line.ts';
import { counted, escapeControl } from '../output/text/text.ts';

export type MapCheckOptions = { readonly mapping: string; readonly file?: string };

export const command: CommandDeclaration<MapCheckOptions> = {
  description:
    'Prints every problem of a mapping file as file:line:column. With a CSV file it also checks the header: columns that the mapping names and the file lacks, and columns that nothing uses. `check` checks the rows.',
  examples: [
    'dataimport map check transactions.csv.map.yaml',
    'dataimport map check supplier.map.yaml transactions.csv --supplier ACME',
  ],
  settings: ['supplier', 'contract'],
  declare: (command) =>
    void command
      .argument('<mapping>', 'mapping file')
      .argument('[file]', 'CSV file whose header it has to fit'),
  run,
};

async function run({ mapping: name, file }: MapCheckOptions, context: CommandContext): Promise<CommandEnd> {
  const { io, onClose } = context;
  const contract = await appliedContract(await context.settings(), io.cwd);
  const { mapping, problems: ofFile } = await loadMapping(name, openerIn(io.cwd), contract?.descriptors);
  const ofTypes = mapping && contract ? missingFieldsOfTypes(mapping, contract.descriptors) : [];
  const ports = { supplier: (await context.settings()).get('supplier'), cwd: io.cwd, onClose };
  const query = mapping && querySpecOf(mapping.document.source);
  const ofQuery = mapping && query ? await queryProblems({ mapping, query, file }, ports) : [];
  const ofMapping = [...[...ofFile, ...ofTypes].map(reported), ...ofQuery];
  const isUnusable = ofMapping.some(isError);
  const ofHeader =
    mapping && !isUnusable && file !== undefined && !query ? await headerProblems(mapping, file, ports) : [];
  const problems = [...ofMapping, ...ofHeader];
  const oddities = mapping && !isUnusable ? [...mappingWarnings(mapping)] : [];
  const resource = mapping?.resource ?? null;
  return {
    exit: isUnusable ? 'USAGE' : problems.some(isError) ? 'INPUT_INVALID' : 'OK',
    result: shownMappingCheck({
      mapping: name,
      file,
      resource,
      problems: [...oddities.map(inMapping), ...problems],
    }),
  };
}

/** What is wrong with the query of a mapping, and with the columns of its result. Reads each file up to its header. */
async function queryProblems(
  { mapping, query, file }: { mapping: Mapping; query: QuerySpec; file: string | undefined },
  { supplier, cwd, onClose }: { supplier: string | undefined; cwd: string; onClose: OnClose },
): Promise<readonly CheckedProblem[]> {
  const [first, ...others] = await filesOf(query.tables, mapping, {
    cwd,
    onClose,
    ...(file !== undefined && { first: file }),
  });
  const { queryHeader } = await loadQueries();
  const found = await queryHeader({ mapping, query, files: [first!, ...others] });
  const path = ['source', 'sql'];
  const place = mapping.positionOf(path);
  if (!('names' in found))
    return found.map((problem) => reported({ problem: { ...problem, path }, ...place }));
  const joins = (await joinsOf(mapping, [first!.name], { cwd, onClose })).tablesFor(first!.name);
  const { problems } = planByMapping(mapping, found.names, { ...found, supplier: supplier ?? '', joins });
  return problems.map(({ problem, cell }) =>
    locateOwnProblem(withoutSupplierError(problem), { ...place, header: cell?.header ?? null }),
  );
}

const isError = ({ severity }: CheckedProblem): boolean => severity === 'error';

/** A warning at its place in the mapping file, or in a table that it names. */
function inMapping({ problem, cell }: CellProblem): CheckedProblem {
  const { file, line, column, header } = cell!;
  return locateOwnProblem(problem, { file: file!, line, column, header });
}

function reported({ file, line, column, problem }: MappingProblem): CheckedProblem {
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

/** What is wrong between a mapping and the header of a CSV file. Reads the file up to its header. */
async function headerProblems(
  mapping: Mapping,
  name: string,
  { supplier, cwd, onClose }: { supplier: string | undefined; cwd: string; onClose: OnClose },
): Promise<readonly CheckedProblem[]> {
  const source = await openSourceFile(name, cwd);
  onClose(() => source.close());
  const joins = (await joinsOf(mapping, [name], { cwd, onClose })).tablesFor(name);
  const nowhere = { file: name, line: null, column: null, header: null };
  for await (const item of eachItem(readSource(source, mapping.format))) {
    if (item.kind === 'header') {
      const { problems } = planByMapping(mapping, item.names, { supplier, joins, elements: item.elements });
      return problems.map(({ problem, cell }) =>
        locateOwnProblem(withoutSupplierError(problem), { ...nowhere, ...cell, file: name, line: item.line }),
      );
    }
    if (item.kind === 'unreadable') return [locateOwnProblem(item.problem, { ...nowhere, line: item.line })];
  }
  return [];
}

/** A mapping without a supplier is complete, because the command that uses it names the supplier. */
function withoutSupplierError(problem: Problem): Problem {
  return problem.code === 'mapping_supplier_missing' ? { ...problem, severity: 'warning' } : problem;
}

/** A mapping file that was checked, alone or with a CSV file. */
interface MappingCheckResult {
  readonly mapping: string;
  /** The CSV file whose header the mapping has to fit; undefined when the mapping was checked alone. */
  readonly file: string | undefined;
  /** Null when the mapping cannot be used. */
  readonly resource: string | null;
  readonly problems: readonly CheckedProblem[];
}

/** A problem, and what to do about it. */
type CheckedProblem = ReportedProblem & { readonly next: string | null };

const shownMappingCheck = shownAs<MappingCheckResult>({
  document: ({ mapping, resource, problems }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    mapping,
    resource,
    problems,
  }),
  text: ({ mapping, file, problems }, { exit, paint }) => {
    const verdict =
      exit === 'OK'
        ? `${escapeControl(mapping)} ${file === undefined ? 'is a valid mapping' : `fits the header of ${escapeControl(file)}`}`
        : counted(problems.length, 'problem');
    const steps = new Set(problems.flatMap(({ next }) => (next === null ? [] : [next])));
    return [
      ...problems.map((problem) => `${problemLine(problem, paint('stdout'))}\n`),
      `${verdict}\n`,
      ...[...steps].map((step) => `next: ${escapeControl(step)}\n`),
    ].join('');
  },
});
