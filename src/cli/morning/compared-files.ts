import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import { total } from '../../core/values/counts.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import type { SourceFlags } from '../command/flags.ts';
import { listenForInterruption } from '../command/interruption.ts';
import type { ComparedFiles } from '../report/compared-resources.ts';
import { flagLayer, type SettingFlags } from '../settings/layer.ts';
import { withDocument, type Settings } from '../settings/settings.ts';
import { missingRows } from '../verify/verified-files.ts';
import type { ComparedSide } from '../verify/verification-schema.ts';
import { cohortJobs, comparedJobs, type ComparingFlags } from '../verify/compared-jobs.ts';
import type { OpenJournals } from '../journal/found-readings.ts';
import type { NamedReport, PushedFiles } from './named-readings.ts';

/**
 * Compares the files of a cohort, or the files of pushes, with their runs, and with a ledger or the platform where the flags ask for it.
 * Returns how the command ends when the files could not be compared. Without such files nothing is compared.
 * @throws AppError `usage` for flags of a comparison without files
 */
export async function comparedFiles(
  { cohort, pushed }: NamedReport,
  flags: ComparingFlags,
  { settings, journals, context }: { settings: Settings; journals: OpenJournals; context: CommandContext },
): Promise<{ readonly compared: readonly ComparedFiles[] } | { readonly end: CommandEnd }> {
  const { ledger, others, askAgain, runDir = [] } = flags;
  if (cohort === undefined && pushed.length === 0) {
    const flag = ledger !== undefined ? '--ledger' : others !== undefined ? '--others' : '--ask-again';
    if (ledger === undefined && others === undefined && !askAgain) return { compared: [] };
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
            return { run: run.id, again: line, options: { ...options, ...flags }, settings: typed };
          }),
        )
      : cohortJobs(cohort, flags, settings, context.io).jobs.map((job) => ({
          ...job,
          run: null,
          again: again([cohort]),
        }));
  const interruption = listenForInterruption(context, { sends: false });
  const end = await comparedJobs(jobs, { interruption, journals }, context);
  if ('end' in end) return end;
  const compared = jobs.map(({ options: { resource }, run, again: line }, index) => ({
    resource,
    run,
    again: line,
    ...differencesOf(end.found[index]?.document.comparisons),
  }));
  return { compared };
}

/** The differences of a comparison, and what the files were compared with. `sides`: undefined for files that have changed. */
function differencesOf(
  sides: readonly ComparedSide[] | undefined,
): Pick<ComparedFiles, 'with' | 'differences' | 'missing'> {
  if (!sides) return { with: ['runs'], differences: null, missing: 0 };
  const names = sides.map(({ with: side, names: [name] }) =>
    side === 'run' ? 'runs' : side === 'ledger' ? name! : 'the platform, asked again',
  );
  return {
    with: names,
    differences: total(sides, ({ errors_total: errors }) => errors),
    missing: missingRows(sides[0]!),
  };
}

/** The flags with which the files of a push are read again, as options, settings and words. All shards of a file are one whole. */
async function sentFiles(
  { resource, sources, words }: PushedFiles,
  settings: Settings,
  { io, surface }: Pick<CommandContext, 'io' | 'surface'>,
) {
  const push = (await surface(words)).commands.find((command) => command.name() === 'push')!;
  push.parseOptions(words.slice(words.indexOf('push') + 1));
  const typed = push.opts<SourceFlags & SettingFlags>();
  const { map, maxRecords, supplier, contract } = typed;
  const flags: readonly FlagWords[] = [
    ['--map', map],
    ['--max-records', maxRecords?.toString()],
    ['--supplier', supplier],
    ['--contract', contract],
    ['--base-url', typed.baseUrl],
  ];
  return {
    options: {
      resource,
      file: sources.map(({ name }) => name),
      ...(map !== undefined && { map }),
      ...(maxRecords !== undefined && { maxRecords }),
    },
    settings: withDocument(settings, flagLayer(typed, io.cwd), io.homeDir),
    flags,
  };
}
