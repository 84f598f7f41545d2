import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command/command.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { Reading } from '../journal/reading.ts';
import type { ReportView } from '../push/ports/report.ts';
import type { TraceChoice, TracedRecord } from '../push/ports/trace.ts';
import { mappedSources } from '../sources/mapped-source.ts';
import { recordAtLine } from '../sources/record-at-line.ts';
import { total } from '../../core/values/counts.ts';
import type { ChosenRun } from './command-runs.ts';
import type { RecordsResult } from './records-result.ts';

/**
 * The records of a command on a line, or of an account, with every step of each. `showValues`: whether values of the records are shown, and
 * the cells of a single one, which need its file.
 * @throws AppError `record_not_traced`; `source_changed` when cells are shown of a file that is not what was read
 */
export async function recordsOf(
  { id, readings }: ChosenRun,
  choice: TraceChoice,
  {
    view,
    showValues,
    context,
  }: { view: (reading: Reading) => ReportView; showValues: boolean; context: CommandContext },
): Promise<RecordsResult> {
  const traced = readings.map((reading) => ({ reading, ...reading.traced(choice, view(reading)) }));
  const all = total(traced, (each) => each.total);
  if (all === 0) throw new AppError('record_not_traced', { run: id });
  const rows = [];
  for (const { reading, records } of traced)
    for (const record of records) {
      const { name: file, columns } = reading.mappedSources[record.source - 1]!;
      rows.push({
        record,
        file,
        columns: columns.map(({ index, header, attr, file: joined }) => ({
          attr,
          column: index === null ? null : index + 1,
          header,
          file: joined ?? null,
        })),
        // The file is read from its beginning, so only for one record.
        cells: showValues && all === 1 ? await sourceCells(reading, record, context) : [],
      });
    }
  return { run: id, total: all, rows, showValues };
}

/** The cells of the rows of a record, as the source file has them. */
async function sourceCells(
  { header }: Reading,
  { source, line }: TracedRecord,
  { io: { cwd }, onClose }: CommandContext,
): Promise<readonly (readonly string[])[]> {
  const { name, sha256, mappedBy } = header.sources[source - 1]!;
  const file = await openSourceFile(name, cwd);
  onClose(() => file.close());
  if (file.fingerprint.sha256 !== sha256) throw new AppError('source_changed', { file: name });
  const choice = {
    resource: header.resource,
    map: mappedBy?.name,
    supplier: header.options.selection.supplier,
  };
  const [mapped] = await mappedSources([file], choice, { cwd, onClose });
  // The columns of the reading are those of the tables, and the cells those of the result.
  if (mapped!.isQuery) return [];
  const found = await recordAtLine(mapped!, line);
  return 'near' in found ? [] : found.rows.map(({ cells }) => cells);
}
