import { Argument, Option } from 'commander';
import { AppError } from '../../core/app-error.ts';
import { RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { dateInZone } from '../../core/values/instant.ts';
import type { CommandContext, CommandDeclaration } from '../command.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { SourceRow } from '../csv/source-row.ts';
import type { ExitName } from '../exit-codes.ts';
import { flagValue } from '../flag-value.ts';
import type { Candidate } from '../mapping/candidate.ts';
import { placeOf } from '../mapping/column-map.ts';
import { checkCandidate, stagedRecord, type CheckedCandidate } from '../push/check-candidate.ts';
import { locate } from '../push/locate.ts';
import type { LocatedProblem } from '../push/ports/report.ts';
import { requestOf } from '../push/request.ts';
import { exitDocument } from '../render/json-output.ts';
import { previewText, type PreviewDocument, type PreviewRequest } from '../render/preview.ts';
import { count } from '../settings/reading.ts';
import type { Settings } from '../settings/settings.ts';
import { mappedSources } from './mapping-of.ts';
import { recordAtLine, type FoundRecord } from './record-at-line.ts';

export interface MapPreviewOptions {
  readonly resource: Resource;
  readonly file: string;
  readonly line: number;
  readonly map?: string;
}

export const mapPreview: CommandDeclaration<MapPreviewOptions> = {
  name: 'map preview',
  group: 'Migrate',
  summary: 'Show the exact request that one row becomes',
  description:
    'Shows the cells of the record on a line, the fields that they become, what is wrong with them, and the request as a push would send it, with a curl line. Sends nothing. The values of the cells are shown: this is what it is for.',
  examples: [
    'dataimport map preview transactions transactions.csv --line 42',
    'dataimport map preview notes notes.csv --line 2 --map supplier.map.yaml --supplier ACME --json',
  ],
  settings: ['supplier', 'baseUrl'],
  declare: (command) =>
    void command
      .addArgument(
        new Argument('<resource>', `what the rows are: ${RESOURCES.join(', ')}`).choices(RESOURCES),
      )
      .argument('<file>', 'CSV file')
      .addOption(
        new Option('--line <n>', 'line of the file on which the record stands, or one of its lines')
          .argParser(flagValue(count({ max: 1_000_000_000 })))
          .makeOptionMandatory(),
      )
      .option('--map <file>', 'mapping file (default: <file>.map.yaml beside the CSV file, if there is one)'),
  run,
};

async function run(options: MapPreviewOptions, context: CommandContext): Promise<ExitName> {
  const settings = await context.settings();
  const source = await openSourceFile(options.file, context.io.cwd);
  context.onClose(() => source.close());
  const choice = { ...options, supplier: settings.get('supplier') };
  const [mapped] = await mappedSources([source], choice, context);
  const found = await recordAtLine(mapped!, options.line);
  if ('near' in found)
    throw new AppError('line_without_record', { file: options.file, line: options.line, near: found.near });
  const document = documentOf(found, options, { settings, context });
  context.document(document);
  if (!context.globals.json) context.io.stdout.write(previewText(document));
  return document.exit.name as ExitName;
}

function documentOf(
  found: FoundRecord,
  { resource, file }: MapPreviewOptions,
  { settings, context }: { readonly settings: Settings; readonly context: CommandContext },
): PreviewDocument {
  const { plan, rows, names, isFiltered } = found;
  const candidate = plan.candidateOf(rows);
  const check = { today: dateInZone(context.io.timing.nowMs(), settings.need('timeZone')) };
  const checked = checkCandidate({ resource, check, earliestDate: settings.need('earliestDate') }, candidate);
  const problems = [
    ...found.problems.map((problem) =>
      locate(problem, { file, line: rows[0].firstLine, column: null, header: null }),
    ),
    ...checked.problems.map(({ problem, place }) =>
      located(problem, place ?? placeOf(plan.columns, problem.path, candidate.parts), { file, rows }),
    ),
  ];
  const hasError = problems.some(({ severity }) => severity === 'error');
  const exit = hasError ? 'INPUT_INVALID' : 'OK';
  return {
    version: 1,
    exit: exitDocument(exit),
    file,
    filtered: isFiltered,
    rows: rows.map((row) => cellsOf(row, names)),
    account: candidate.account,
    record: candidate.record,
    problems,
    request:
      checked.record === undefined || hasError || isFiltered
        ? null
        : requestFor(
            { resource },
            { ...candidate, record: checked.record },
            { row: rows[0], baseUrl: settings.get('baseUrl') ?? null },
          ),
  };
}

function located(
  problem: Parameters<typeof locate>[0],
  place: ReturnType<typeof placeOf>,
  { file, rows }: { readonly file: string; readonly rows: FoundRecord['rows'] },
): LocatedProblem {
  return locate(problem, { ...place, file: place.file ?? file, line: place.line ?? rows[0].firstLine });
}

function cellsOf({ firstLine, cells }: SourceRow, names: readonly string[]): PreviewDocument['rows'][number] {
  return {
    line: firstLine,
    cells: cells.map((value, index) => ({ column: index + 1, header: names[index] ?? '', value })),
  };
}

/** The request of this record alone; in a push it travels with others of its account. */
function requestFor(
  { resource }: Pick<MapPreviewOptions, 'resource'>,
  candidate: Pick<Candidate, 'account' | 'parts'> & {
    readonly record: NonNullable<CheckedCandidate['record']>;
  },
  { row, baseUrl }: { readonly row: SourceRow; readonly baseUrl: string | null },
): PreviewRequest {
  const { payload, account } = stagedRecord(resource, { ...candidate, position: { source: 1, ...row } });
  const batch = { account, records: [{ payload }], inDoubt: false };
  const options = { checkPreviouslyAdded: true, forceAddToCurrentStatement: true };
  const { method, path, body } = requestOf(resource, batch, options);
  if (body === null) throw new TypeError('a batch makes a request with a body');
  return { method, path, base_url: baseUrl, body: parseExactJson(body), body_text: body };
}
