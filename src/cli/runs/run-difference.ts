import { DESCRIPTORS } from '../../core/contract/resources.ts';
import type { OnClose } from '../command/command-ports.ts';
import type { RunDifferenceResult, VersionPosition } from './run-difference-result.ts';
import type { RunFile } from '../run-file/run-file.ts';
import { openUnpairedStore } from '../run-file/scratch/unpaired-store.ts';
import type { SentRecord } from '../comparison/ports.ts';
import { allRecordsOf, type VersionRuns } from './sent-part.ts';
import { compareVersions } from '../comparison/versions.ts';

/**
 * Compares the records of two runs of one resource, and those that other runs brought to the platform for them. Nothing is sent or
 * changed.
 */
export function runDifference(
  earlier: RunFile,
  later: RunFile,
  { others, onClose }: { others: VersionRuns['others']; onClose: OnClose },
): RunDifferenceResult {
  const unpaired = openUnpairedStore<SentRecord>();
  onClose(() => unpaired.close());
  const { resource } = earlier.header;
  const { records, differences } = compareVersions({
    earlier: allRecordsOf({ runs: [earlier], others }),
    later: allRecordsOf({ runs: [later], others }),
    unpaired,
    haveIds: DESCRIPTORS[resource].idField !== null,
  });
  const positionsOf = (run: RunFile) => {
    const names = [run, ...others.values()].map(({ mappedSources }) => mappedSources.map(({ name }) => name));
    return (record: SentRecord | null): VersionPosition | null =>
      record && {
        file: names[record.origin]![record.source - 1]!,
        line: record.line,
        outcome: record.origin === 0 ? record.outcome : 'sent_before',
      };
  };
  const [before, after] = [positionsOf(earlier), positionsOf(later)];
  return {
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
