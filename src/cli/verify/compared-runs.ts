import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { shardText, type Shard } from '../push/ports/run.ts';
import type { JournalsFolder } from '../journal/journals-folder.ts';
import type { FoundReading, KnownReadings, OpenJournals } from '../journal/found-readings.ts';
import type { Reading } from '../journal/reading.ts';
import { platformOf, type RunHeader } from '../journal/database/run-header.ts';
import { assertReadable } from '../runs/run-folders.ts';
import { assertComplete, assertOnce } from './shards.ts';
import type { SentReadings } from './sent-part.ts';

/** Files, and the platform that they were sent to; any platform when left out. `shard`: only its rows are compared. */
interface ComparedFiles {
  readonly contentSha256: string;
  readonly resource: Resource;
  readonly target: string | undefined;
  readonly shard: Shard | undefined;
}

/** The readings that went to the platform at an address; all without one. One platform may have several addresses. */
export function sentTo(target: string | undefined, found: readonly FoundReading[]): readonly FoundReading[] {
  if (target === undefined) return found;
  const platforms = new Set(
    found.flatMap(({ header }) => (header.target === target ? platformOf(header) : [])),
  );
  return found.filter(({ header }) => platforms.has(platformOf(header)));
}

/**
 * The newest reading of the very content of the files, or all shards that it is one of, each in one of the folders; none without one, or
 * when the files were read with other content since.
 * @throws AppError `shards_differ` when a shard has no reading, or readings in two folders; `usage` for a file that two folders have; why a
 *   journal that may have a newer one cannot be read
 */
export function newestReadingsOf(
  { contentSha256, resource, target, shard }: ComparedFiles,
  known: KnownReadings,
  command: string,
): readonly FoundReading[] {
  const wanted = shard && shardText(shard);
  const chosen: FoundReading[] = [];
  for (const reading of sentTo(target, known.found)) {
    const { header, folder } = reading;
    if (!reading.isStaged || header.resource !== resource) continue;
    const { shard: own } = header.options.selection;
    if (wanted !== undefined && (!own || shardText(own) !== wanted)) continue;
    const [first] = chosen;
    const isOfFiles =
      header.contentSha256 === contentSha256 &&
      !isChanged(reading) &&
      (!first ||
        (platformOf(header) === platformOf(first.header) &&
          own?.count === first.header.options.selection.shard?.count));
    // Of one folder the newest reading of a shard counts.
    if (!isOfFiles || chosen.some((each) => each.folder === folder && indexOf(each) === indexOf(reading)))
      continue;
    chosen.push(reading);
  }
  const headers = chosen.map(({ header }) => header);
  assertOnce(headers, command);
  assertReadable(known, chosen, resource);
  if (wanted === undefined) assertComplete(headers);
  return chosen.toSorted((a, b) => (indexOf(a) ?? 0) - (indexOf(b) ?? 0));
}

/** Whether the files of a reading were read again with other bytes. In another order they are the same files. */
function isChanged({ header, replacedBy }: FoundReading): boolean {
  return replacedBy !== undefined && bytesOf(replacedBy.header) !== bytesOf(header);
}

const bytesOf = ({ sources }: RunHeader): string =>
  sources
    .map(({ sha256 }) => sha256)
    .toSorted()
    .join();

const indexOf = ({ header }: FoundReading): number | undefined => header.options.selection.shard?.index;

/** The readings of files that are open, and the folder of each. */
export type OpenReadings = SentReadings & { readonly folderOf: ReadonlyMap<Reading, JournalsFolder> };

/**
 * Opens the readings of files, and the journals of their folders that brought the rest of their records to the platform. A journal that
 * is missing is left out: it proves nothing.
 * @throws AppError `run_damaged`, `run_rolled_back`, `run_never_staged`; `usage` for a reading of another resource
 */
export function openReadings(
  found: readonly FoundReading[],
  resource: Resource,
  { journals, command }: { journals: OpenJournals; command: string },
): OpenReadings {
  const elsewhere = new Map<string, Reading>();
  const folderOf = new Map<Reading, JournalsFolder>();
  for (const { header, folder, isStaged, ...place } of found) {
    if (header.resource !== resource) {
      const reason = `the run ${header.id} has ${header.resource}, not ${resource}`;
      throw new AppError('usage', { reason, command });
    }
    if (!isStaged) throw new AppError('run_never_staged', { run: header.id });
    const reading = journals.reading(place);
    folderOf.set(reading, folder);
    const left = [reading];
    for (let next = left.shift(); next; next = left.shift())
      for (const name of next.proving.broughtBy()) {
        const file = folder.fileNamed(name);
        if (elsewhere.has(name) || !folder.files().includes(file)) continue;
        const [other] = journals.at(file).readings();
        if (!other) continue;
        elsewhere.set(name, other);
        left.push(other);
      }
  }
  return { readings: [...folderOf.keys()], elsewhere, folderOf };
}
