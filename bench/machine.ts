import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

/** What a figure depends on. No names: results are published. */
export interface Machine {
  readonly cores: number;
  readonly processor: string;
  readonly memoryGb: number;
  readonly node: string;
  /** Of the temporary folder, where all files of the bench are. */
  readonly fileSystem: string;
  /** Time of a write of 4 kB with fsync. */
  readonly syncMs: number;
}

export function thisMachine(): Machine {
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    fileSystem: fileSystemOf(tmpdir()),
    syncMs: syncMs(),
  };
}

/** The type of the file system with the longest mount point above the folder. */
function fileSystemOf(folder: string): string {
  const mounts = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([, point]) => point !== undefined && `${folder}/`.startsWith(point === '/' ? '/' : `${point}/`))
    .toSorted(([, a], [, b]) => b!.length - a!.length);
  return mounts[0]?.[2] ?? 'unknown';
}

/** The median of 21 writes. */
function syncMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sync-'));
  const file = openSync(join(folder, 'file'), 'w');
  const block = Buffer.alloc(4096);
  const times = Array.from({ length: 21 }, () => {
    const started = performance.now();
    writeSync(file, block);
    fsyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return times.toSorted((a, b) => a - b)[10]!;
}
