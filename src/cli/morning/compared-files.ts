import { commandLine, type FlagWords } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import type { Resource } from '../../core/contract/resources.ts';
import { total } from '../../core/values/counts.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import type { ComparedResources, FoundDifferences } from '../report/compared-resources.ts';
import type { Settings } from '../settings/settings.ts';
import { MISSING } from '../runs/sent-part.ts';
import type { VerificationResult } from '../verify/verification-result.ts';
import type { RunDirFlag } from '../runs/run-folders.ts';
import type { OpenJournals } from '../journal/found-readings.ts';
import type { NamedReport } from './named-readings.ts';
import { sentFiles } from './sent-files.ts';

/** How files are compared. */
interface ComparingFlags extends RunDirFlag {
  readonly ledger?: string;
  readonly others?: 'allowed';
  readonly askAgain?: boolean;
}

/**
 * Compares the files of a cohort, or the files of pushes, with their runs, and with a ledger or the platform where the flags ask for it.
 * Returns how the command ends when the files could not be compared. Without such files nothing is compared.
 * @throws AppError `usage` for a flag without files
 */
export async function comparedFiles(
  { cohort, pushed }: NamedReport,
  { ledger, others, askAgain, runDir }: ComparingFlags,
  { settings, journals, context }: { settings: Settings; journals: OpenJournals; context: CommandContext },
): Promise<{ readonly resources?: ComparedResources } | { readonly end: CommandEnd }> {
  if (cohort === undefined && pushed.length === 0) {
    const flag = ledger !== undefined ? '--ledger' : others !== undefined ? '--others' : '--ask-again';
    if (ledger === undefined && others === undefined && !askAgain) return {};
    const reason = `${flag} compares files, and no cohort or file that was pushed is given; \`dataimport verify\` compares the files of one resource`;
    throw new AppError('usage', { reason, command: 'report' });
  }
  const flags = {
    ...(ledger !== undefined && { ledger }),
    ...(others !== undefined && { others }),
    ...(askAgain !== undefined && { askAgain }),
    runDir,
  };
  const { isChanged, verifiedResources } = await import('../verify/verify.ts');
  const { mayAsk, verified } = await import('../verify/verified-files.ts');
  const interruption = listenForInterruption(context, { sends: false });
  const again = (words: readonly string[], more: Parameters<typeof commandLine>[2] = []): string =>
    commandLine('verify', words, [
      ...more,
      ...(runDir ?? []).map((dir): FlagWords => ['--run-dir', dir]),
      ['--ledger', ledger],
      ['--others', others],
    ]);
  const ports = { interruption, journals };
  const whole = { allowsOthers: others !== undefined };
  if (cohort !== undefined) {
    const options = { resource: cohort as never, file: [], ...flags };
    const found = await verifiedResources(cohort, { options, settings, ...ports }, context);
    if ('end' in found) return found;
    const ofCohort = new Map<Resource, FoundDifferences>(
      found.parts.map((part) =>
        'changed' in part
          ? [part.changed, changed(again([cohort]))]
          : [part.resource, differencesOf(part, again([cohort]))],
      ),
    );
    return {
      resources: { ...whole, of: ({ resource }) => ofCohort.get(resource), all: [...ofCohort.keys()] },
    };
  }
  const ofRuns = new Map<string, FoundDifferences>();
  for (const run of pushed) {
    const { options, settings: typed, flags: words } = await sentFiles(run, settings, context);
    const line = again([run.resource, ...options.file], words);
    const asks = askAgain === true && mayAsk(run.resource);
    const given = { ...options, ...flags, askAgain: asks };
    try {
      const end = await verified(given, { settings: typed, ...ports }, context);
      if (!end.verification) return { end };
      ofRuns.set(run.id, differencesOf(end.verification, line));
    } catch (error) {
      if (!isChanged(error)) throw error;
      ofRuns.set(run.id, changed(line));
    }
  }
  return {
    resources: {
      ...whole,
      of: ({ runs }) => runs.map(({ run }) => ofRuns.get(run)).find((found) => found !== undefined),
      all: [],
    },
  };
}

const changed = (again: string): FoundDifferences => ({
  with: ['runs'],
  differences: null,
  missing: 0,
  again,
});

/** The differences of a verification, and what its files were compared with. */
function differencesOf({ sides, apart }: VerificationResult, again: string): FoundDifferences {
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
