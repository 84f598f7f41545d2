import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { shellWord } from '../../core/command-line.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { Interruption } from '../ending/interruption.ts';
import { temporaryFolder } from '../outside/temporary-folder.ts';
import { shownAs } from '../output/formats/result-formats.ts';
import { exitDocument } from '../output/json.ts';
import { openPlatform, playOn, TRIAL_FOLDER, type ClientSetup } from './client-run.ts';
import { LATE_MS, textsOf, type Fault } from './fault-kinds.ts';
import { FINDINGS, findingsIn, isWrongData, type Finding, type FindingKind } from './findings.ts';
import { keptFinding, type TriedClient } from './last-trial.ts';
import { referenceOf } from './reference.ts';
import { undisturbedRuns, type UndisturbedOptions } from './trial.ts';
import { whenOf } from './try-result.ts';

/** A finding of the last trial that was played again. */
interface Replay {
  readonly number: number;
  readonly kind: FindingKind;
  readonly faults: readonly Fault[];
  /** The client of the trial where that is another one, so that nothing is known about its finding. */
  readonly tried: TriedClient | undefined;
  /** Whether the client of this command has shown a finding of the kind. */
  readonly isThere: boolean;
  /** Everything that the client did wrong this time. */
  readonly findings: readonly Finding[];
  readonly exitCode: number | null;
}

const shownReplay = shownAs<Replay>({
  document: ({ number, kind, faults, tried, isThere, findings, exitCode }, exit) => ({
    version: 1,
    exit: exitDocument(exit),
    number,
    finding: kind,
    when: whenOf(faults),
    faults: textsOf(faults),
    recurred: tried ? null : isThere,
    other_client: tried ? { shows_it: isThere, tried } : null,
    findings: findings.map(({ kind: finding, says }) => ({ finding, says })),
    client_exit: exitCode,
  }),
  // The verdict was printed while the page was open.
  text: () => '',
});

/** Says whether the finding is there again, and what else is. */
function verdictOf({ number, kind, tried, isThere, findings, exitCode }: Replay): string {
  const seen = findings.map(({ kind: each, says }) => `${FINDINGS[each].title}: ${says}`).join('; ');
  const instead = seen === '' ? `; the client ended with ${exitCode ?? 'a signal'}` : `, but ${seen}`;
  if (tried) {
    const typed = [...tried.seeds.flatMap((file) => ['--seed', file]), '--', ...tried.command];
    const shows = isThere ? `This one does the same: ${seen}` : `This one does not show it${instead}`;
    return `the trial was of another client or seed: \`${typed.map(shellWord).join(' ')}\`. ${shows}. Nothing is known about finding ${number} (${FINDINGS[kind].title}) of that client.`;
  }
  if (isThere) return `finding ${number} is there again: ${seen}`;
  return `finding ${number} (${FINDINGS[kind].title}) is not there any more${instead}`;
}

interface Parts {
  readonly client: TriedClient;
  readonly setup: ClientSetup;
  readonly undisturbed: UndisturbedOptions;
  readonly interruption: Interruption;
}

/**
 * Plays a finding again, says whether it is there again, and keeps the platform until the first signal. With `--json` the
 * command ends at once, because a program does not look at the page.
 */
export async function replayed(
  number: number,
  { client, setup, undisturbed, interruption }: Parts,
  { io, output, globals, onClose }: CommandContext,
): Promise<CommandEnd> {
  const { kind, faults, client: kept } = keptFinding(number, io.cwd);
  const tried = isDeepStrictEqual(kept, client) ? undefined : kept;
  const notice = (text: string): void => output.emit({ kind: 'notice', text });
  const { first, second, limits } = await undisturbedRuns(undisturbed);
  if (setup.stopping.aborted) return { exit: interruption.exit() };
  const reference = referenceOf([first, second]);
  const folder = temporaryFolder(TRIAL_FOLDER);
  onClose(() => rmSync(folder, { recursive: true, force: true }));
  const platform = await openPlatform(faults, folder, setup);
  onClose(() => platform.close());
  notice(`finding ${number}, when ${whenOf(faults)}: ${platform.url}`);
  if (io.stdout.isTTY && !globals.json) await io.openPage(platform.url);
  const run = await playOn(platform, { faults, folder, limits }, setup);
  if (run.ended === 'stopped') return { exit: interruption.exit() };
  // The log has the last request a moment after the client has its answer.
  await io.timing.sleep(LATE_MS, setup.stopping);
  const findings = findingsIn({ ...run, requests: platform.logged() }, reference);
  const isThere =
    findings.some((finding) => finding.kind === kind) || (faults.length === 0 && !reference.isOrdered);
  const replay: Replay = { number, kind, faults, tried, isThere, findings, exitCode: run.exitCode };
  if (!globals.json && !setup.stopping.aborted) {
    notice(verdictOf(replay));
    notice('Look at the page. Press Ctrl-C to end.');
    await new Promise<void>((end) => setup.stopping.addEventListener('abort', () => end()));
  }
  return { exit: isThere && isWrongData(kind) ? 'DIFFERENT' : 'OK', result: shownReplay(replay) };
}
