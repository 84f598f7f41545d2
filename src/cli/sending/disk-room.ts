import type { CommandPorts } from '../command-ports.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';
import { existingPart } from './network-disk.ts';
import type { RunSources } from '../runs/sources.ts';

/**
 * Bytes of a run file with its journal for each byte of the sources. Measured with transactions: 1.9 with rows of 243 bytes,
 * 3.5 with 132 and 5 with 55, because a row costs about 250 bytes whatever it contains.
 */
const BYTES_OF_RUN = 4;

const MEGABYTE = 1_000_000;

/** Warns before staging when the disk is probably too small for the run file. Nobody knows better than probably before the end. */
export function warnOfSmallDisk(
  { path }: RunsFolder,
  { files }: Pick<RunSources, 'files'>,
  { io, output }: Pick<CommandPorts, 'io' | 'output'>,
): void {
  const free = io.freeBytes(existingPart(path));
  const needed = BYTES_OF_RUN * files.reduce((sum, { file }) => sum + file.fingerprint.bytes, 0);
  if (free === undefined || free >= needed) return;
  const facts = { folder: path, needed: Math.ceil(needed / MEGABYTE), free: Math.floor(free / MEGABYTE) };
  output.emit({ kind: 'warning', code: 'run_disk_small', facts });
}
