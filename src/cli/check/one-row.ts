import { AppError } from '../../core/app-error.ts';
import { shellWord } from '../../core/command-line.ts';
import type { AccountKey } from '../../core/contract/account.ts';
import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { SourceRow } from '../csv/source-row.ts';
import { cellOf } from '../mapping/column-map.ts';
import type { CellProblem } from '../mapping/mapping-plan.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument, jsonText } from '../output/json.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { columnsText } from '../output/text/table.ts';
import { escapeControl } from '../output/text/text.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { LocatedProblem } from '../push/ports/report.ts';
import { requestOf } from '../push/request.ts';
import type { StageJob } from '../push/stage-job.ts';
import { checkCandidate } from '../push/stage/check-candidate.ts';
import { appliedContract, runContractOf } from '../sources/applied-contract.ts';
import { mappedSources } from '../sources/mapped-source.ts';
import { recordAtLine, type RecordAtLine } from '../sources/record-at-line.ts';

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
  if ('near' in found) throw new AppError('line_without_record', { file: file!, line, near: found.near });
  const today = dateInZone(io.timing.nowMs(), settings.need('timeZone'));
  const rules = {
    resource,
    check: { today, ...(descriptors && { descriptors }) },
    earliestDate: settings.need('earliestDate'),
  };
  const checked = checkedRow(found, file!, rules);
  const { account, sent } = checked;
  const request =
    sent === undefined
      ? null
      : requestOf(
          resource,
          { account, records: [{ payload: JSON.stringify(sent) }], inDoubt: false },
          {
            checkPreviouslyAdded: true,
            forceAddToCurrentStatement: true,
            ...(contract && { contract: runContractOf(contract, resource) }),
          },
        );
  const hasError = checked.problems.some(isError);
  return {
    exit: hasError ? 'INPUT_INVALID' : 'OK',
    result: shownRow({ file: file!, ...checked, request }),
  };
}

function checkedRow(
  { plan, rows, names, isFiltered, problems: before }: RecordAtLine,
  file: string,
  rules: Pick<StageJob, 'resource' | 'check' | 'earliestDate'>,
) {
  const candidate = plan.candidateOf(rows);
  const checked = checkCandidate(rules, candidate);
  const line = rows[0].firstLine;
  const located = ({ problem, cell: known }: CellProblem): LocatedProblem => {
    const cell = known ?? cellOf(plan.columns, problem.path, candidate.parts);
    return locateOwnProblem(problem, { ...cell, file: cell.file ?? file, line: cell.line ?? line });
  };
  const problems = [
    ...before.map((problem) => locateOwnProblem(problem, { file, line, column: null, header: null })),
    ...checked.problems.map(located),
  ];
  return {
    filtered: isFiltered,
    rows: rows.map((row) => cellsOf(row, names)),
    account: candidate.account,
    record: candidate.record,
    problems,
    /** Undefined for a record that a push would not send. */
    sent: isFiltered || problems.some(isError) ? undefined : checked.record,
  };
}

const isError = ({ severity }: LocatedProblem): boolean => severity === 'error';

function cellsOf({ firstLine, cells }: SourceRow, names: readonly string[]): ShownRow['rows'][number] {
  return {
    line: firstLine,
    cells: cells.map((value, index) => ({ column: index + 1, header: names[index] ?? '', value })),
  };
}

/** One record of a file, and the request that it becomes. */
interface ShownRow {
  readonly file: string;
  /** Whether the filter of the mapping leaves the record out. */
  readonly filtered: boolean;
  /** The rows of the record, cell by cell. */
  readonly rows: readonly {
    readonly line: number;
    readonly cells: readonly { readonly column: number; readonly header: string; readonly value: string }[];
  }[];
  readonly account: AccountKey;
  readonly record: unknown;
  readonly problems: readonly LocatedProblem[];
  /** Null when the record would not be sent. In a push it shares a request with other records of its account. */
  readonly request: ReturnType<typeof requestOf> | null;
}

const shownRow = shownAs<ShownRow>({
  document: ({ file, filtered, rows, account, record, problems, request }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    file,
    filtered,
    rows,
    account,
    record,
    problems,
    request: request && {
      method: request.method,
      path: request.path,
      body: parseExactJson(request.body!),
      body_text: request.body,
    },
  }),
  text: rowText,
});

/** The cells of the record, the record, and its request as a curl line. */
function rowText({ file, rows, account, record, problems, request, filtered }: ShownRow): string {
  const cells = rows.map(({ line, cells: of }) => {
    const table = of.map(({ column, header, value }) => [
      String(column),
      escapeControl(header),
      escapeControl(value),
    ]);
    return `${escapeControl(file)}:${line}\n${columnsText(table, ['right', 'left', 'left'])}`;
  });
  const problemLines = problems.map((problem) => `${problemLine(problem)}\n`).join('');
  return [
    ...cells,
    `account\n${indented(jsonText(account, 2))}`,
    `record\n${indented(jsonText(record, 2))}`,
    ...(problemLines === '' ? [] : [`problems\n${problemLines}`]),
    request
      ? requestText(request)
      : `no request: ${filtered ? 'the filter of the mapping leaves this record out' : 'the record is not valid'}\n`,
  ].join('\n');
}

function requestText({ method, path, body }: NonNullable<ShownRow['request']>): string {
  const curl = [
    `curl -X ${method} "$DATAIMPORT_BASE_URL"${shellWord(path)}`,
    `-H "Authorization: ${TOKEN_SCHEME} $DATAIMPORT_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellWord(body!)}`,
  ].join(' \\\n    ');
  return `${method} ${escapeControl(path)}\n${indented(jsonText(parseExactJson(body!), 2))}\n  ${curl}\n`;
}

const indented = (text: string): string => `${text.replaceAll(/^/gm, '  ')}\n`;
