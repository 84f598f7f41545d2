import { AppError } from '../../core/app-error.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import { readText } from '../command/typed-file.ts';
import { resourceFlags } from '../migrate/cohort-files.ts';
import { cohortSettings } from '../migrate/cohort-settings.ts';
import { readCohort } from '../migrate/read-cohort.ts';
import type { Settings } from '../settings/settings.ts';
import type { Verification } from './verification-result.ts';
import { mayAsk, verified, type VerifyOptions, type VerifySettings } from './verified-files.ts';

/** How files are compared, whatever files they are. */
export type ComparingFlags = Pick<VerifyOptions, 'ledger' | 'others' | 'askAgain' | 'runDir'>;

/** Files of one resource that are compared, beside those of other jobs. */
interface ComparingJob {
  readonly options: VerifyOptions;
  readonly settings: Settings;
}

/** The resources of a cohort file, in the order in which they are sent. */
export function cohortJobs(
  file: string,
  flags: ComparingFlags,
  settings: Settings,
  io: CommandContext['io'],
): { readonly name: string; readonly jobs: readonly ComparingJob[] } {
  const cohort = readCohort(file, readText(file, io.cwd));
  const ofCohort = cohortSettings(cohort, settings, io);
  const jobs = resourceFlags(cohort, io.cwd).map((files) => ({
    options: { ...flags, ...files },
    settings: ofCohort,
  }));
  return { name: cohort.name, jobs };
}

/**
 * Compares files one job after the other: what was sent of them, when they are unfinished. Files that no run has read as they are have no
 * result. Returns how the command ends when files cannot be compared, or after an interruption. `--ask-again` is about the resources that
 * the platform can be asked for.
 */
export async function comparedJobs(
  jobs: readonly ComparingJob[],
  ports: Omit<VerifySettings, 'settings'>,
  context: CommandContext,
): Promise<{ readonly found: readonly (Verification | undefined)[] } | { readonly end: CommandEnd }> {
  const found: (Verification | undefined)[] = [];
  for (const { options, settings } of jobs) {
    const askAgain = options.askAgain === true && mayAsk(options.resource);
    try {
      const end = await verified({ ...options, askAgain }, { settings, ...ports }, context);
      if (!end.verification) return { end };
      found.push(end.verification);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'run_to_verify_missing') throw error;
      found.push(undefined);
    }
  }
  return { found };
}
