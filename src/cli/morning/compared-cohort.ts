import { commandLine } from '../../core/command-line.ts';
import { AppError } from '../../core/app-error.ts';
import { total } from '../../core/values/counts.ts';
import type { CommandContext, CommandEnd } from '../command/command.ts';
import { listenForInterruption } from '../ending/interruption.ts';
import type { ComparedResources } from '../report/compared-resources.ts';
import type { Settings } from '../settings/settings.ts';

/** How the files of a cohort are compared. */
interface ComparingFlags {
  readonly ledger?: string;
  readonly others?: 'allowed';
  readonly askAgain?: boolean;
}

/**
 * Compares the files of a cohort with its runs, and with a ledger or the platform where the flags ask for it. Returns how the command
 * ends when the files could not be compared. Without a cohort file nothing is compared.
 * @throws AppError `usage` for a flag without a cohort file
 */
export async function comparedCohort(
  file: string | undefined,
  { ledger, others, askAgain }: ComparingFlags,
  { settings, context }: { settings: Settings; context: CommandContext },
): Promise<{ readonly resources?: ComparedResources } | { readonly end: CommandEnd }> {
  const flag =
    ledger !== undefined
      ? '--ledger'
      : others !== undefined
        ? '--others'
        : askAgain
          ? '--ask-again'
          : undefined;
  if (file === undefined) {
    if (flag === undefined) return {};
    const reason = `${flag} compares the files of a cohort, and no cohort file is given; \`dataimport verify\` compares the files of one resource`;
    throw new AppError('usage', { reason, command: 'report' });
  }
  const { verifiedResources } = await import('../verify/verify.ts');
  const interruption = listenForInterruption(context, { sends: false });
  const options = {
    resource: file as never,
    file: [],
    ...(ledger !== undefined && { ledger }),
    ...(others !== undefined && { others }),
    ...(askAgain !== undefined && { askAgain }),
  };
  const found = await verifiedResources(file, { options, settings, interruption }, context);
  if ('end' in found) return found;
  return {
    resources: {
      again: commandLine(
        'verify',
        [file],
        [
          ['--ledger', ledger],
          ['--others', others],
        ],
      ),
      allowsOthers: others !== undefined,
      with: ['runs', ...(ledger === undefined ? [] : [ledger])],
      differences: new Map(
        found.parts.map((part) =>
          'changed' in part
            ? [part.changed, null]
            : [part.resource, total(part.sides, ({ totals }) => totals.errors)],
        ),
      ),
    },
  };
}
