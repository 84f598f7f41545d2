import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import { total } from '../../core/values/counts.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import type { ComparedResources, FoundDifferences } from '../report/compared-resources.ts';
import type { Settings } from '../settings/settings.ts';
import { MISSING } from '../runs/sent-part.ts';
import type { VerificationResult } from '../verify/verification-result.ts';
import { cohortJobs, comparedJobs, type ComparingFlags } from '../verify/compared-jobs.ts';
import type { OpenJournals } from '../journal/found-readings.ts';
import type { NamedReport } from './named-readings.ts';
import { sentFiles } from './sent-files.ts';

/**
 * Compares the files of a cohort, or the files of pushes, with their runs, and with a ledger or the platform where the flags ask for it.
 * Returns how the command ends when the files could not be compared. Without such files nothing is compared.
 * @throws AppError `usage` for a flag without files
 */
export async function comparedFiles(
  { cohort, pushed }: NamedReport,
  flags: ComparingFlags,
  { settings, journals, context }: { settings: Settings; journals: OpenJournals; context: CommandContext },
): Promise<{ readonly resources?: ComparedResources } | { readonly end: CommandEnd }> {
  const { ledger, others, askAgain, runDir = [] } = flags;
  if (cohort === undefined && pushed.length === 0) {
    const flag = ledger !== undefined ? '--ledger' : others !== undefined ? '--others' : '--ask-again';
    if (ledger === undefined && others === undefined && !askAgain) return {};
    const reason = `${flag} compares files, and no cohort or file that was pushed is given; \`dataimport verify\` compares the files of one resource`;
    throw new AppError('usage', { reason, command: 'report' });
  }
  const again = (words: readonly string[], more: readonly FlagWords[] = []): string =>
    commandLine('verify', words, [
      ...more,
      ...runDir.map((dir): FlagWords => ['--run-dir', dir]),
      ['--ledger', ledger],
      ['--others', others],
    ]);
  const jobs =
    cohort === undefined
      ? await Promise.all(
          pushed.map(async (run) => {
            const { options, settings: typed, flags: words } = await sentFiles(run, settings, context);
            const line = again([run.resource, ...options.file], words);
            return { of: run.id, again: line, options: { ...options, ...flags }, settings: typed };
          }),
        )
      : cohortJobs(cohort, flags, settings, context.io).jobs.map((job) => ({
          ...job,
          of: job.options.resource,
          again: again([cohort]),
        }));
  const interruption = listenForInterruption(context, { sends: false });
  const compared = await comparedJobs(jobs, { interruption, journals }, context);
  if ('end' in compared) return compared;
  const found = new Map(jobs.map((job, index) => [job.of, differencesOf(compared.found[index], job.again)]));
  return {
    resources: {
      allowsOthers: others !== undefined,
      of: ({ resource, runs }) =>
        found.get(resource) ?? runs.map(({ run }) => found.get(run)).find((each) => each !== undefined),
      all: cohort === undefined ? [] : jobs.map(({ options }) => options.resource),
    },
  };
}

/** The differences of a verification, and what its files were compared with; undefined for files that have changed. */
function differencesOf(verification: VerificationResult | undefined, again: string): FoundDifferences {
  if (!verification) return { with: ['runs'], differences: null, missing: 0, again };
  const { sides, apart } = verification;
  const names = sides.map(({ with: side, names: [name] }) =>
    side === 'run' ? 'runs' : side === 'ledger' ? name! : 'the platform, asked again',
  );
  return {
    with: names,
    differences: total(sides, ({ totals }) => totals.errors),
    missing: total(MISSING, (kind) => apart[kind]),
    again,
  };
}
