import { AppError } from '../../core/app-error.ts';
import type { CommandContext } from '../command.ts';
import type { RunHeader } from '../run-file/run-header.ts';
import { runLine } from './runs-folder.ts';

/** A run goes to where it began; another address would get the rest of the records. @throws AppError `run_other_target` */
export async function assertSameTarget(
  command: 'resume' | 'retry',
  header: RunHeader,
  context: CommandContext,
): Promise<void> {
  const given = (await context.settings()).get('baseUrl');
  if (given === undefined || given === header.target) return;
  const resume = await runLine(command, header, context);
  throw new AppError('run_other_target', { run: header.id, expected: header.target, given, resume });
}
