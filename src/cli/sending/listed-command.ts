import { preciseInstantOfClock } from '../../core/values/instant.ts';
import type { CommandContext } from '../command/command.ts';
import { beginCommand, commandsFile, type BegunCommand, type NewCommand } from '../journal/commands-log.ts';
import { failureOf } from '../output/failure.ts';
import type { CohortResult } from '../output/run/cohort-result.ts';
import type { RunResult } from '../output/run/run-document.ts';
import type { Settings } from '../settings/settings.ts';

/** Runs a command that sends, and keeps in the list of its folder that it was typed, and how it ended. */
export async function inList<Result extends RunResult | CohortResult>(
  command: Pick<NewCommand, 'name' | 'readsInput'>,
  settings: Settings,
  { io, words, output }: Pick<CommandContext, 'io' | 'words' | 'output'>,
  act: (listed: BegunCommand) => Promise<Result>,
): Promise<Result> {
  const folder = settings.need('runDir');
  const { cwd, pid, userName: user = null } = io;
  const now = (): string => preciseInstantOfClock(io.timing.nowMs());
  const target = settings.get('baseUrl') ?? null;
  const listed = beginCommand(folder, { ...command, words, user, cwd, pid, target, begun: now() }, (reason) =>
    output.emit({
      kind: 'notice',
      text: `${commandsFile(folder)} was not written, so \`runs\` and \`resume\` do not know how this command ends: ${reason}`,
    }),
  );
  try {
    const result = await act(listed);
    listed.end({ at: now(), exit: result.ending.exit, reason: reasonOf(result) });
    return result;
  } catch (error) {
    const { exit, problems } = failureOf(error);
    listed.end({ at: now(), exit, reason: problems[0]!.code });
    throw error;
  }
}

/** The code of what ended a command early: its error without a line. */
function reasonOf(result: RunResult | CohortResult): string | null {
  const problems = ('parts' in result ? result.parts : [result]).flatMap(({ report }) => report.problems);
  const errors = problems.filter(({ severity }) => severity === 'error');
  return errors.find(({ line }) => line === null)?.code ?? null;
}
