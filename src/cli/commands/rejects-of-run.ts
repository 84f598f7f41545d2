import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command.ts';
import { openSourceFile } from '../csv/source-file.ts';
import type { RunFile } from '../run-file/run-file.ts';
import type { RejectedSource } from './rejects-file.ts';
import { rejectsTargets, type RejectsTarget } from './rejects-target.ts';

/** Standard input under the name that problems have for it. */
const STANDARD_INPUT = '<stdin>';

/**
 * What `--rejects` writes of a run that was begun by an earlier command: from its source files, which have to be what they
 * were then. Without the flag there is nothing to write, and the files may be gone.
 * @throws AppError `source_changed`, `file_not_readable`, `file_exists`, `file_not_writable`; `usage` for standard input
 */
export async function rejectsOfRun(
  file: string | undefined,
  run: RunFile,
  context: CommandContext,
): Promise<{ readonly sources: readonly RejectedSource[]; readonly targets: readonly RejectsTarget[] }> {
  if (file === undefined) return { sources: [], targets: [] };
  const { io } = context;
  const names = run.header.sources.map(({ name }) => name);
  if (names.includes(STANDARD_INPUT)) {
    const reason = 'the rows of this run came from standard input, so --rejects cannot read them again';
    throw new AppError('usage', { reason, command: 'resume' });
  }
  const targets = rejectsTargets(file, names, io);
  const sources: RejectedSource[] = [];
  for (const { name, sha256, mappedBy = null } of run.header.sources) {
    const source = await openSourceFile(name, io.cwd);
    context.onClose(() => source.close());
    if (source.fingerprint.sha256 !== sha256) throw new AppError('source_changed', { file: name });
    sources.push({ file: source, mappedBy });
  }
  return { sources, targets };
}
