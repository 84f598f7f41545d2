import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';
import type { CommandPorts } from '../command/command-ports.ts';
import type { Progress } from '../output/progress/progress.ts';
import { RunMetrics, type MetricLabels } from './prometheus.ts';
import type { PushEvent } from '../push/events.ts';
import { assertReplaceable, assertWritable } from '../command/typed-file.ts';

/** Time between two versions of the file, in milliseconds. */
const EVERY_MS = 5_000;

const CHECK_EVERY_MS = 1_000;

/** A name that no collector reads, in the same folder. */
const draftOf = (file: string): string => `${file}-new`;

/** A device, a pipe and a link stay what they are, so they are written through. */
const isReplaced = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true;

/**
 * Makes sure, before anything is read or sent, that the file of --metrics-file can be written. The file itself is left alone.
 * @throws AppError `file_not_writable`, `file_not_ours`; `usage` for `-`
 */
export function assertMetricsWritable(file: string | undefined, cwd: string): void {
  if (file === undefined) return;
  if (file === '-')
    throw new AppError('usage', {
      reason: '--metrics-file takes a file, not standard output',
      command: 'push',
    });
  const trial = isReplaced(resolve(cwd, file)) ? draftOf(file) : file;
  assertReplaceable(draftOf(file), cwd, 'metrics');
  assertWritable(file, cwd, { trial, kind: 'metrics' });
}

/**
 * Writes the events of a run to a file as metrics, beside showing them: at the first event, every five seconds after that, and at
 * the end. A reader finds the last version or the one before it, never a part. A failure is logged, because it must not
 * end the run. A command that ends before its first event, as when another process has the run, leaves the file alone. `first`: what is
 * known before anything is done. Without a file only the progress is shown.
 */
export function withMetrics(
  progress: Progress,
  { file, labels, first }: { file: string | undefined; labels: MetricLabels; first?: PushEvent },
  { io, log }: Pick<CommandPorts, 'io' | 'log'>,
): Progress {
  if (file === undefined) return progress;
  const { timing } = io;
  const path = resolve(io.cwd, file);
  const metrics = new RunMetrics(labels, timing.nowMs());
  let writtenMs = -Infinity;
  let hasBegun = false;
  let isEnded = false;
  let stopTicking = (): void => undefined;
  const write = (): void => {
    writtenMs = timing.monotonicMs();
    try {
      // Any collector may read it. There are only counts in it.
      const target = isReplaced(path) ? draftOf(path) : path;
      const isDraft = target !== path;
      // A link that somebody puts in the place of the draft is not followed.
      if (isDraft) rmSync(target, { force: true });
      const flag = isDraft ? 'wx' : 'w';
      writeFileSync(target, metrics.text(timing.nowMs(), timing.monotonicMs()), { mode: 0o644, flag });
      if (isDraft) renameSync(target, path);
    } catch (error) {
      log.write('metrics_not_written', { reason: fileReason(error) });
    }
  };
  const writeIfDue = (): void => {
    if (timing.monotonicMs() - writtenMs >= EVERY_MS) write();
  };
  const apply = (event: PushEvent): void => {
    metrics.apply(event, timing.monotonicMs());
    writeIfDue();
    if (hasBegun) return;
    hasBegun = true;
    // Nothing happens for a long time while accounts are waited for.
    stopTicking = io.every(CHECK_EVERY_MS, writeIfDue);
  };
  if (first) apply(first);
  return {
    emit(event) {
      progress.emit(event);
      apply(event);
    },
    above: (print) => progress.above(print),
    stop() {
      progress.stop();
      stopTicking();
      if (isEnded || !hasBegun) return;
      isEnded = true;
      metrics.end();
      write();
    },
  };
}
