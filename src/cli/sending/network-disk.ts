import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { Io } from '../io.ts';
import type { RunsFolder } from '../run-file/runs-folder.ts';

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
 * Refuses a folder of run files on a network file system: two machines could send one run, and its journal could be lost.
 * Known on Linux only.
 * @throws AppError `run_disk_shared`
 */
export function assertLocalDisk(
  { path }: RunsFolder,
  isAllowed: boolean | undefined,
  { platform, fileSystemType }: Pick<Io, 'platform' | 'fileSystemType'>,
): void {
  if (isAllowed || platform !== 'linux') return;
  const type = fileSystemType(existingPart(path));
  // A machine of 32 bits has the numbers with a sign.
  const kind = type === undefined ? undefined : NETWORK_FILE_SYSTEMS.get(type >>> 0);
  if (kind !== undefined) throw new AppError('run_disk_shared', { folder: path, kind });
}

/** The folder, or the nearest folder above it that exists: the run folder is made by the first run. */
export function existingPart(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existingPart(dirname(path));
}
