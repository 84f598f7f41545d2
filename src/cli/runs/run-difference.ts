import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { OnClose } from '../command-ports.ts';
import type { RunDifferenceResult, VersionPosition } from '../output/run-difference.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { openUnpairedStore } from '../run-file/unpaired-store.ts';
import type { SentRecord } from '../verify/ports.ts';
import { compareVersions } from '../verify/versions.ts';

/** Compares the records of two runs of one resource. Nothing is sent or changed. */
export function runDifference(earlier: RunFile, later: RunFile, onClose: OnClose): RunDifferenceResult {
  const unpaired = openUnpairedStore<SentRecord>();
  onClose(() => unpaired.close());
  const { resource } = earlier.header;
  const { records, differences } = compareVersions({
    earlier: earlier.proving.sentRecords(0),
    later: later.proving.sentRecords(1),
    unpaired,
    haveIds: DESCRIPTORS[resource].idField !== null,
  });
  const positionsOf = (run: RunFile) => {
    const names = run.mappedSources.map(({ name }) => name);
    return (record: SentRecord | null): VersionPosition | null =>
      record && { file: names[record.source - 1]!, line: record.line, outcome: record.outcome };
  };
  const [before, after] = [positionsOf(earlier), positionsOf(later)];
  return {
    kind: 'run_difference',
    resource,
    earlier: earlier.header.id,
    later: later.header.id,
    records,
    differences: differences.map(({ kind, fields, ...sides }) => ({
      kind,
      earlier: before(sides.earlier),
      later: after(sides.later),
      fields,
    })),
  };
}
