import { AppError } from '../../core/app-error.ts';
import type { OnClose } from '../command/command-ports.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { ColumnMap } from '../mapping/column-map.ts';
import type { TracedColumn } from './trace-result.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { Settings } from '../settings/settings.ts';
import { mappedSources } from '../sources/mapped-source.ts';
import { recordAtLine } from '../sources/record-at-line.ts';

/** The columns that feed the fields of a record, as people count them. */
export function columnsOf(columns: ColumnMap): readonly TracedColumn[] {
  return columns.map(({ index, header, attr, file }) => ({
    attr,
    column: index === null ? null : index + 1,
    header,
    file: file ?? null,
  }));
}

/**
 * The cells of the rows of a record, as the source file has them. `source`: number of the source in the run, from 1.
 * @throws AppError `source_changed` when the file is not what the run has read; `file_not_readable`
 */
export async function sourceCells(
  run: RunFile,
  { source, line }: { source: number; line: number },
  { settings, cwd, onClose }: { settings: Settings; cwd: string; onClose: OnClose },
): Promise<readonly (readonly string[])[]> {
  const { name, sha256, mappedBy } = run.header.sources[source - 1]!;
  const file = await openSourceFile(name, cwd);
  onClose(() => file.close());
  if (file.fingerprint.sha256 !== sha256) throw new AppError('source_changed', { file: name });
  const choice = {
    resource: run.header.resource,
    map: mappedBy?.name,
    supplier: settings.get('supplier'),
    trailer: mappedBy?.hasTrailer ?? true,
  };
  const [mapped] = await mappedSources([file], choice, { cwd, onClose });
  // The columns of the run are those of the tables, and the cells those of the result.
  if (mapped!.isQuery) return [];
  const found = await recordAtLine(mapped!, line);
  return 'near' in found ? [] : found.rows.map(({ cells }) => cells);
}
