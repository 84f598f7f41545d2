import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { JournalsFolder } from '../journal/journals-folder.ts';
import { otherOwner } from '../settings/file-owner.ts';

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

/** Refuses a folder of journals on a network file system: two machines could open one journal. Known on Linux only. */
export function assertLocalDisk({ path }: JournalsFolder, isAllowed: boolean, { io }: Ports): void {
  if (isAllowed || io.platform !== 'linux') return;
  const type = io.fileSystemType(existingPart(path));
  // A machine of 32 bits has the numbers with a sign.
  const kind = type === undefined ? undefined : NETWORK_FILE_SYSTEMS.get(type >>> 0);
  if (kind !== undefined)
    throw new AppError('run_inaccessible', {
      reason: `its folder is on a network file system (${kind}), where no lock keeps a journal for one process`,
      remedy:
        'Name a folder on a disk of this machine with --run-dir. When no other machine opens this one, put `allowNetworkDisk: yes` into dataimport.config.yaml, or set DATAIMPORT_ALLOW_NETWORK_DISK=yes',
      file: path,
    });
}

/** Rights of the group and of others to write. */
const OTHERS_WRITE = 0o022;

/**
 * Refuses a folder of journals of another user, because a journal says what is sent and what has arrived. So does each folder or link on the
 * way to it from the working folder: its owner could lead the next command to other journals. Warns when other users may write into the
 * own folder, because they could replace or remove a journal.
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
      if (owner !== undefined) throw foreign(part, owner);
    }
  const [how, todo] = ['may be written by other users', `Type \`chmod go-w '${path}'\`.`];
  const facts = { file: path, how, todo };
  if (isShared) output.emit({ kind: 'warning', code: 'run_folder_foreign', facts });
}

/** The refusal of a file of another user. */
export function foreign(file: string, owner: number): AppError {
  return new AppError('run_folder_foreign', { file, how: `belongs to another user (uid ${owner})` });
}

/** The folders below `cwd` that lead to a path, and the path itself. */
function wayTo(path: string, cwd: string): readonly string[] {
  const isBelow = path.startsWith(join(cwd, '/'));
  return isBelow && dirname(path) !== cwd ? [...wayTo(dirname(path), cwd), path] : [path];
}

/** The folder, or the nearest folder above it that exists: the run folder is made by the first run. */
function existingPart(path: string): string {
  return existsSync(path) || path === dirname(path) ? path : existingPart(dirname(path));
}
