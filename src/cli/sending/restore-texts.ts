import { CHECK_ONLY, stageRun } from '../push/stage/stage.ts';
import { RunFile } from '../run-file/run-file.ts';
import type { RunSources } from '../sources/sources.ts';
import type { Sending } from './sending.ts';

/**
 * Reads the files of a version again and gives its run the texts that were erased, and the rows that it does not keep, so that every
 * record can be sent once more (`--again`). False when reading was interrupted, and the run is as it was.
 */
export async function restoreTexts(
  run: RunFile,
  { interruption }: Sending,
  { job }: Pick<RunSources, 'job'>,
): Promise<boolean> {
  const read = RunFile.scratch(run.header);
  try {
    const policy = { ...CHECK_ONLY, limits: null, skipInvalid: true };
    const ports = { emit: () => undefined, stopping: interruption.stopping };
    const { kind } = await stageRun(job, policy, read, ports);
    if (kind === 'interrupted') return false;
    run.restore(read);
    return true;
  } finally {
    read.close();
  }
}
