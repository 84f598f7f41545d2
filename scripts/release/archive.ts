import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { command } from './command.ts';
import { execFileSync } from 'node:child_process';

/** Seconds since 1970 of the last commit. All files of a release have this date, so that one commit has one archive. */
export function dateOfCommit(root: string): string {
  return command('git', ['log', '-1', '--format=%ct'], { cwd: root }).trim();
}

/** Writes the files of a folder to a .tar.gz that has no trace of this machine. */
export function writeArchive(folder: string, seconds: string, output: string): void {
  writeFileSync(output, gzipSync(tarOf(folder, seconds)));
}

/** The files of a folder as a .tar that has no trace of this machine. */
export function tarOf(folder: string, seconds: string): Buffer {
  const flags = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${seconds}`];
  return execFileSync('tar', [...flags, '-cf', '-', '-C', folder, '.'], { maxBuffer: 2 ** 30 });
}
