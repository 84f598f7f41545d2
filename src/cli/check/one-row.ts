import { AppError } from '../../core/app-error.ts';
import type { Problem } from '../../core/problem.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { eachItem, rowProblem, type SourceRow } from '../csv/source-row.ts';
import { cellOf } from '../mapping/column-map.ts';
import type { CellProblem, MappingPlan } from '../mapping/mapping-plan.ts';
import { jsonText } from '../output/json.ts';
import type { Part, Result } from '../output/result.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { LocatedProblem } from '../push/ports/report.ts';
import { requestOf } from '../push/request.ts';
import type { StageJob } from '../push/stage-job.ts';
import { checkCandidate } from '../push/stage/check-candidate.ts';
import { appliedContract, runContractOf } from '../sources/applied-contract.ts';
import { mappedSources } from '../sources/mapped-source.ts';
import type { MappedSource } from '../sources/mapping-choice.ts';

/** Shows the record on a line: its cells, its fields, its problems, and the request that a push would send with it alone. */
export async function oneRow(
  { resource, file: [file], map }: SourceFlags,
  line: number,
  context: CommandContext,
): Promise<CommandEnd> {
  const { io, onClose } = context;
  const settings = await context.settings();
  const source = await openSourceFile(file!, io.cwd);
  onClose(() => source.close());
  const contract = await appliedContract(settings, io.cwd);
  const descriptors = contract?.descriptors;
  const choice = { resource, map, supplier: settings.get('supplier'), descriptors };
  const [mapped] = await mappedSources([source], choice, { cwd: io.cwd, onClose });
  const found = await recordAtLine(mapped!, line);
  if (!found)
    throw new AppError('rows_not_joined', {
      reason: `line ${line} belongs to no record`,
      todo: 'Give the line of a record with --line.',
      file: file!,
      line,
    });
  const today = dateInZone(io.timing.nowMs(), settings.need('timeZone'));
  const check = { today, ...(descriptors && { descriptors }) };
  const rules = { resource, check, earliestDate: settings.need('earliestDate') };
  const row = checkedRow(found, {
    file: file!,
    rules,
    contract: contract && runContractOf(contract, resource),
  });
  return { exit: row.problems.some(isError) ? 'INPUT_INVALID' : 'OK', result: shownRow(row) };
}

/**
 * Reads up to the record that a line belongs to, joining rows as a push does. Undefined when no record has the line. `problems`: of the
 * header, and of the row before it is mapped.
 * @throws AppError with the code of what makes the file unreadable before that line
 */
async function recordAtLine(source: MappedSource, line: number) {
  let header: { plan: MappingPlan; names: readonly string[]; problems: readonly Problem[] } | undefined;
  let rows: [SourceRow, ...SourceRow[]] | undefined;
  const isFound = (): boolean =>
    rows?.some(({ firstLine, lastLine }) => firstLine <= line && line <= lastLine) ?? false;
  for await (const item of eachItem(source.items)) {
    if (item.kind === 'header') {
      const { plan, problems: found } = source.mapping(item.names, item.elements);
      const problems = found.map(({ problem }) => problem).filter(isError);
      header = { plan, names: item.names, problems };
    } else if (item.kind === 'row' && header) {
      const { row } = item;
      if (rows && header.plan.continues(row, rows[0])) rows.push(row);
      else if (isFound() || row.firstLine > line) break;
      else rows = [row];
    } else if (item.kind === 'unreadable' || (item.kind === 'broken' && item.row.firstLine === line)) {
      if (isFound()) break;
      const at = item.kind === 'unreadable' ? item.line : line;
      throw new AppError(item.problem.code, { ...item.problem.facts, file: source.name, line: at });
    }
  }
  if (!header || !rows || !isFound()) return undefined;
  const problem = rowProblem(rows[0], header.names);
  return { ...header, rows, problems: problem ? [...header.problems, problem] : header.problems };
}

function checkedRow(
  { plan, rows, names, problems: before }: NonNullable<Awaited<ReturnType<typeof recordAtLine>>>,
  of: {
    file: string;
    rules: Pick<StageJob, 'resource' | 'check' | 'earliestDate'>;
    contract: ReturnType<typeof runContractOf> | undefined;
  },
) {
  const { file, rules, contract } = of;
  const isFiltered = plan.filteredBy(rows[0]) !== undefined;
  const candidate = plan.candidateOf(rows);
  const { account, record } = candidate;
  const checked = checkCandidate(rules, candidate);
  const line = rows[0].firstLine;
  const located = ({ problem, cell: known }: CellProblem): LocatedProblem => {
    const cell = known ?? cellOf(plan.columns, problem.path, candidate.parts);
    return locateOwnProblem(problem, { ...cell, file: cell.file ?? file, line: cell.line ?? line });
  };
  const problems = [
    ...before.map((problem) => locateOwnProblem(problem, { file, line })),
    ...checked.problems.map(located),
  ];
  const batch = { account, records: [{ payload: JSON.stringify(checked.record) }], inDoubt: false };
  const options = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
  return {
    file,
    /** Whether the filter of the mapping leaves the record out. */
    filtered: isFiltered,
    /** The rows of the record, cell by cell. */
    rows: rows.map(({ firstLine, cells }) => ({
      line: firstLine,
      cells: cells.map((value, index) => ({ column: index + 1, header: names[index] ?? '', value })),
    })),
    account,
    record,
    problems,
    /** Null for a record that a push would not send. In a push it shares a request with other records of its account. */
    request:
      checked.record === undefined || isFiltered || problems.some(isError)
        ? null
        : requestOf(rules.resource, batch, { ...options, ...(contract && { contract }) }),
  };
}

const isError = ({ severity }: Pick<Problem, 'severity'>): boolean => severity === 'error';

type CheckedRow = ReturnType<typeof checkedRow>;

/** The cells of the record, the record, and its request. */
const shownRow = ({ request, problems, ...row }: CheckedRow): Result => ({
  problems,
  fields: {
    ...row,
    request: request && { ...request, body: parseExactJson(request.body!), body_text: request.body },
  },
  text: () => [
    ...row.rows.flatMap(({ line, cells }): readonly Part[] => [
      `${row.file}:${line}`,
      { table: cells.map(({ column, header, value }) => [String(column), header, value]), right: [0] },
      '',
    ]),
    'account',
    indented(row.account),
    '',
    'record',
    indented(row.record),
    '',
    ...(problems.length === 0 ? [] : ['problems', ...problems.map((problem) => problemLine(problem)), '']),
    ...(request
      ? [`${request.method} ${request.path}`, indented(parseExactJson(request.body!))]
      : [
          `no request: ${row.filtered ? 'the filter of the mapping leaves this record out' : 'the record is not valid'}`,
        ]),
  ],
});

const indented = (value: unknown): Part => ({ lines: `${jsonText(value, 2).replaceAll(/^/gm, '  ')}\n` });
