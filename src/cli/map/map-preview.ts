import { Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration, CommandEnd } from '../command/command.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { SourceRow } from '../csv/source-row.ts';
import { flagValue, mapOption, MOST_ROWS, resourceArgument } from '../command/flags.ts';
import type { Candidate, CellProblem } from '../mapping/mapping-plan.ts';
import { cellOf } from '../mapping/column-map.ts';
import { checkCandidate, type CheckedCandidate } from '../push/stage/check-candidate.ts';
import { locateOwnProblem } from '../push/own-problem.ts';
import type { StageJob } from '../push/stage-job.ts';
import { requestOf } from '../push/request.ts';
import { appliedContract, runContractOf } from '../sources/applied-contract.ts';
import { mappedSources } from '../sources/mapped-source.ts';
import { withFiles } from '../sources/sources.ts';
import { recordAtLine, type RecordAtLine } from '../sources/record-at-line.ts';
import { count } from '../settings/parsers.ts';
import type { LocatedProblem } from '../push/ports/report.ts';
import type { RunContract } from '../push/ports/run.ts';
import { shellWord } from '../../core/command-line.ts';
import type { AccountKey } from '../../core/contract/account.ts';
import { TOKEN_SCHEME } from '../../core/contract/token.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument, jsonText } from '../output/json.ts';
import { problemLine } from '../output/text/problem-line.ts';
import { columnsText } from '../output/text/table.ts';
import { escapeControl } from '../output/text/text.ts';

export type MapPreviewOptions = Readonly<{ resource: Resource; file?: string; line?: number; map?: string }>;

export const command: CommandDeclaration<MapPreviewOptions> = {
  description:
    'Shows the cells of the record on a line, its fields, its problems, and the request that a push would send, with a curl line. Sends nothing. Values of cells are shown, because that is its purpose.',
  examples: [
    'dataimport map preview transactions transactions.csv --line 42',
    'dataimport map preview transactions --map bills.map.yaml',
    'dataimport map preview notes notes.csv --line 2 --map supplier.map.yaml --supplier ACME --json',
  ],
  settings: ['supplier', 'contract', 'baseUrl'],
  declare: (command) =>
    void command
      .addArgument(resourceArgument())
      .argument('[file]', 'file of CSV or JSON Lines; none for the query of a mapping')
      .addOption(
        new Option('--line <n>', 'a line of the record in the file')
          .argParser(flagValue(count({ max: MOST_ROWS })))
          .default(undefined, 'that of the first record'),
      )
      .addOption(mapOption()),
  run,
};

async function run(options: MapPreviewOptions, context: CommandContext): Promise<CommandEnd> {
  const { resource, line, map } = options;
  const { io, onClose } = context;
  const { file: typed, ...flags } = options;
  const [file] = (await withFiles({ ...flags, file: typed === undefined ? [] : [typed] }, io.cwd)).file as [
    string,
  ];
  const settings = await context.settings();
  const source = await openSourceFile(file, io.cwd);
  onClose(() => source.close());
  const contract = await appliedContract(settings, io.cwd);
  const descriptors = contract?.descriptors;
  const choice = { resource, map, supplier: settings.get('supplier'), descriptors };
  const [mapped] = await mappedSources([source], choice, { cwd: io.cwd, onClose });
  const found = await recordAtLine(mapped!, line);
  if ('near' in found) throw new AppError('line_without_record', { file, line: line ?? 1, near: found.near });
  const today = dateInZone(io.timing.nowMs(), settings.need('timeZone'));
  const check = { today, ...(descriptors && { descriptors }) };
  const rules = { resource, check, earliestDate: settings.need('earliestDate') };
  const baseUrl = settings.get('baseUrl') ?? null;
  const result = previewOf(found, {
    file,
    rules,
    baseUrl,
    contract: contract && runContractOf(contract, resource),
  });
  const hasError = result.problems.some(({ severity }) => severity === 'error');
  return { exit: hasError ? 'INPUT_INVALID' : 'OK', result: shownPreview(result) };
}

function previewOf(
  found: RecordAtLine,
  {
    file,
    rules,
    baseUrl,
    contract,
  }: {
    file: string;
    rules: Pick<StageJob, 'resource' | 'check' | 'earliestDate'>;
    baseUrl: string | null;
    contract: RunContract | undefined;
  },
): PreviewResult {
  const { plan, rows, names, isFiltered } = found;
  const candidate = plan.candidateOf(rows);
  const checked = checkCandidate(rules, candidate);
  const line = rows[0].firstLine;
  const located = ({ problem, cell: known }: CellProblem): LocatedProblem => {
    const cell = known ?? cellOf(plan.columns, problem.path, candidate.parts);
    return locateOwnProblem(problem, { ...cell, file: cell.file ?? file, line: cell.line ?? line });
  };
  const problems = [
    ...found.problems.map((problem) => locateOwnProblem(problem, { file, line, column: null, header: null })),
    ...checked.problems.map(located),
  ];
  const { record } = checked;
  const isSent =
    record !== undefined && !isFiltered && problems.every(({ severity }) => severity !== 'error');
  return {
    file,
    filtered: isFiltered,
    rows: rows.map((row) => cellsOf(row, names)),
    account: candidate.account,
    record: candidate.record,
    problems,
    request: isSent ? requestFor(rules.resource, { ...candidate, record }, { baseUrl, contract }) : null,
  };
}

function cellsOf({ firstLine, cells }: SourceRow, names: readonly string[]): PreviewResult['rows'][number] {
  return {
    line: firstLine,
    cells: cells.map((value, index) => ({ column: index + 1, header: names[index] ?? '', value })),
  };
}

/** The request of this record alone. In a push it shares a request with other records of its account. */
function requestFor(
  resource: Resource,
  candidate: Pick<Candidate, 'account'> & { record: NonNullable<CheckedCandidate['record']> },
  { baseUrl, contract }: { baseUrl: string | null; contract: RunContract | undefined },
): PreviewRequest {
  const batch = {
    account: candidate.account,
    records: [{ payload: JSON.stringify(candidate.record) }],
    inDoubt: false,
  };
  const options = {
    checkPreviouslyAdded: true,
    forceAddToCurrentStatement: true,
    ...(contract && { contract }),
  };
  const { method, path, body } = requestOf(resource, batch, options);
  if (body === null) throw new TypeError('a batch makes a request with a body');
  return { method, path, base_url: baseUrl, body: parseExactJson(body), body_text: body };
}

/** One record of a file, and the request that it becomes. */
interface PreviewResult {
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
  /** Null when the record would not be sent. */
  readonly request: PreviewRequest | null;
}

interface PreviewRequest {
  readonly method: string;
  readonly path: string;
  /** Null when no base URL is set. */
  readonly base_url: string | null;
  readonly body: unknown;
  /** The body byte for byte. */
  readonly body_text: string;
}

const shownPreview = shownAs<PreviewResult>({
  document: (preview, exit) => ({ version: 1, exit: exitDocument(exit), ...preview }),
  text: previewText,
});

/** The cells of the record, the record, and its request as a curl line. */
function previewText({ file, rows, account, record, problems, request, filtered }: PreviewResult): string {
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

function requestText({ method, path, base_url: baseUrl, body, body_text: text }: PreviewRequest): string {
  const url =
    baseUrl === null
      ? `"$DATAIMPORT_BASE_URL"${shellWord(path)}`
      : shellWord(baseUrl.replace(/\/$/, '') + path);
  const curl = [
    `curl -X ${method} ${url}`,
    `-H "Authorization: ${TOKEN_SCHEME} $DATAIMPORT_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `--data-raw ${shellWord(text)}`,
  ].join(' \\\n    ');
  return `${method} ${escapeControl(path)}\n${indented(jsonText(body, 2))}\n  ${curl}\n`;
}

const indented = (text: string): string => `${text.replaceAll(/^/gm, '  ')}\n`;
