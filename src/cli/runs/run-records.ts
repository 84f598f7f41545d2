import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command/command.ts';
import { openSourceFile } from '../csv/source-file.ts';
import { openedRun } from '../ending/opened-run.ts';
import type { TraceChoice, TracedRecord } from '../push/ports/trace.ts';
import type { ReportView } from '../push/ports/report.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { mappedSources } from '../sources/mapped-source.ts';
import { recordAtLine } from '../sources/record-at-line.ts';
import { othersOf } from './compared-runs.ts';
import { assertProven } from './proven-run.ts';
import type { RecordsResult } from './records-result.ts';

/** Whether values of cells are shown, and where the run is. */
interface RecordsPlace {
  readonly folder: RunsFolder;
  readonly view: ReportView;
  /** Whether values of the records are shown, and the cells of a single one, which need the file of the run. */
  readonly showValues: boolean;
  readonly context: CommandContext;
}

/**
 * The records of a run on a line, or of an account, with every step of each.
 * @throws AppError `record_not_traced`; `source_changed` when cells are shown of a file that is not what the run has read
 */
export async function recordsOf(
  run: RunFile,
  choice: TraceChoice,
  { folder, view, showValues, context }: RecordsPlace,
): Promise<RecordsResult> {
  let found = run;
  let { total, records } = run.traced(choice, view);
  if (total === 0 && choice.line === undefined)
    // A run does not keep the rows whose records another run has sent. They have other lines there.
    for (const other of runsBefore(run, { folder, context })) {
      found = other;
      ({ total, records } = other.traced(choice, view));
      if (total > 0) break;
    }
  if (total === 0) throw new AppError('record_not_traced', { run: run.header.id });
  // The file is read from its beginning, so only for one record.
  const cells = showValues && total === 1 ? await sourceCells(found, records[0]!, context) : [];
  const rows = records.map((record) => {
    const { name: file, columns } = found.mappedSources[record.source - 1]!;
    return {
      record,
      file,
      columns: columns.map(({ index, header, attr, file }) => ({
        attr,
        column: index === null ? null : index + 1,
        header,
        file: file ?? null,
      })),
      cells,
    };
  });
  return { run: found.header.id, total, rows, showValues };
}

function runsBefore(
  run: RunFile,
  { folder, context }: Pick<RecordsPlace, 'folder' | 'context'>,
): Iterable<RunFile> {
  const others = othersOf([run], folder.ids(), (id) => {
    const other = openedRun(folder, id, context);
    assertProven(other, folder);
    return other;
  });
  return others.values();
}

/** The cells of the rows of a record, as the source file has them. */
async function sourceCells(
  { header }: RunFile,
  { source, line }: TracedRecord,
  { io: { cwd }, onClose }: CommandContext,
): Promise<readonly (readonly string[])[]> {
  const { name, sha256, mappedBy, isCorrection } = header.sources[source - 1]!;
  const file = await openSourceFile(name, cwd);
  onClose(() => file.close());
  if (file.fingerprint.sha256 !== sha256) throw new AppError('source_changed', { file: name });
  const choice = {
    resource: header.resource,
    map: mappedBy?.name,
    supplier: header.options.selection.supplier,
    trailer: !isCorrection,
  };
  const [mapped] = await mappedSources([file], choice, { cwd, onClose });
  // The columns of the run are those of the tables, and the cells those of the result.
  if (mapped!.isQuery) return [];
  const found = await recordAtLine(mapped!, line);
  return 'near' in found ? [] : found.rows.map(({ cells }) => cells);
}
