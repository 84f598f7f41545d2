import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { JournalsFolder } from '../journal/journals-folder.ts';
import { otherOwner } from '../settings/file-owner.ts';
import type { RunSources } from '../sources/sources.ts';

type Ports = Pick<CommandPorts, 'io' | 'output'>;

/**
 * File systems whose locks and shared memory are not those of one machine, by their number on Linux (linux/magic.h, and the
 * documents of Lustre, GPFS, BeeGFS and Panasas). FUSE has one number for all, most of which reach over a network. 9p is the disk
 * of the host in WSL and in virtual machines.
 */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE, such as sshfs'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x5346414f, 'AFS'],
  [0x6b414653, 'AFS'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x19830326, 'BeeGFS'],
  [0xaad7aaea, 'PanFS'],
  [0x73757245, 'Coda'],
]);

/**
 * Refuses a folder of journals on a network file system: two machines could open one journal.
 * Known on Linux only.
 * @throws AppError `run_disk_shared`
 */
export function assertLocalDisk({ path }: JournalsFolder, isAllowed: boolean, { io }: Ports): void {
  if (isAllowed || io.platform !== 'linux') return;
  const type = io.fileSystemType(existingPart(path));
  // A machine of 32 bits has the numbers with a sign.
  const kind = type === undefined ? undefined : NETWORK_FILE_SYSTEMS.get(type >>> 0);
  if (kind !== undefined) throw new AppError('run_disk_shared', { folder: path, kind });
}

/** Rights of the group and of others to write. */
const OTHERS_WRITE = 0o022;

/**
 * Refuses a folder of journals of another user, because a journal says what is sent and what has arrived. So does each folder or link on the
 * way to it from the working folder: its owner could lead the next command to other journals. Warns when other users may write into the
 * own folder, because they could replace or remove a journal.
 * @throws AppError `run_folder_foreign`
 */
export function assertOwnFolder({ path }: JournalsFolder, { io, output }: Ports): void {
  const { userId, cwd } = io;
  // The rights of a folder say nothing on Windows. Without rights to read it, opening a journal reports why.
  if (userId === undefined || !existsSync(path)) return;
  const isShared = (statSync(path).mode & OTHERS_WRITE) !== 0;
  const inside = isShared ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [];
  for (const part of [...wayTo(path, cwd), ...inside.map((name) => join(path, name))])
    // A link has an owner, and so has what it leads to.
    for (const file of [part, realpathSync(part)]) {
      const owner = otherOwner(file, userId);
      if (owner !== undefined) throw new AppError('run_folder_foreign', { file: part, owner });
    }
  if (isShared) output.emit({ kind: 'warning', code: 'run_folder_shared', facts: { folder: path } });
}

/** The folders below `cwd` that lead to a path, and the path itself. */
function wayTo(path: string, cwd: string): readonly string[] {
  const isBelow = path.startsWith(join(cwd, '/'));
  return isBelow && dirname(path) !== cwd ? [...wayTo(dirname(path), cwd), path] : [path];
}

/**
 * Bytes of a journal with its WAL for each byte of the sources. Measured with transactions: 1.9 with rows of 243 bytes,
 * 3.5 with 132 and 5 with 55, because a row costs about 250 bytes whatever it contains.
 */
const BYTES_OF_RUN = 4;

const MEGABYTE = 1_000_000;

/** Warns before staging when the disk is probably too small for the journal. Nobody knows better than probably before the end. */
export function warnOfSmallDisk(
  { path }: JournalsFolder,
  { files }: Pick<RunSources, 'files'>,
  { io, output }: Ports,
): void {
  const free = io.freeBytes(existingPart(path));
  const needed = BYTES_OF_RUN * files.reduce((sum, { file }) => sum + file.fingerprint.bytes, 0);
  if (free === undefined || free >= needed) return;
  const facts = { folder: path, needed: Math.ceil(needed / MEGABYTE), free: Math.floor(free / MEGABYTE) };
  output.emit({ kind: 'warning', code: 'run_disk_small', facts });
}

/** The folder, or the nearest folder above it that exists: the run folder is made by the first run. */
function existingPart(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existingPart(dirname(path));
}
