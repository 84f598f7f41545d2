import type { Resource } from '../../core/contract/resources.ts';
import { openRows } from '../ending/ending.ts';
import { counted } from '../output/text/text.ts';
import type { RowCounts } from '../push/ports/report.ts';
import type { ReportPart, ReportStep } from './page/migration-report.ts';

/** Files that were compared with what is there. */
export interface ComparedFiles {
  readonly resource: Resource;
  /** The run that their push has made; null for the files of a cohort, which are all of their resource. */
  readonly run: string | null;
  readonly with: readonly string[];
  /** Null for files that have changed since they were sent. */
  readonly differences: number | null;
  /** Rows of the files that have not arrived. */
  readonly missing: number;
  /** The command that compares them again, and names each difference. */
  readonly again: string;
}

/**
 * The comparisons of files, where those with rows that have not arrived count as changed although nothing is open in `rows`: a journal may
 * have forgotten such a row, because other files had it, too, and have it no more.
 */
export function withoutUnread(compared: readonly ComparedFiles[], rows: RowCounts): readonly ComparedFiles[] {
  if (openRows(rows) > 0) return compared;
  return compared.map((found) =>
    found.differences === 0 && found.missing > 0 ? { ...found, differences: null } : found,
  );
}

/** The comparison of the files of a part of a report; undefined when they were not compared. */
export const comparedOf = (
  { resource, runs }: Pick<ReportPart, 'resource'> & { readonly runs: readonly { readonly run: string }[] },
  compared: readonly ComparedFiles[],
): ComparedFiles | undefined =>
  compared.find((found) =>
    found.run === null ? found.resource === resource : runs.some(({ run }) => run === found.run),
  );

/** What a comparison with the files leaves to do. `unsent`: resources of the cohort that have no run. */
export function comparingSteps(
  parts: readonly ReportPart[],
  unsent: readonly Resource[],
  compared: readonly ComparedFiles[],
): readonly ReportStep[] {
  const step = ({ runs }: ReportPart, what: string, command: string | null, rows = 0): ReportStep => ({
    who: 'importer',
    what,
    command,
    run: runs[0]!.run,
    rows,
  });
  const steps = parts.flatMap((part) => {
    const { resource } = part;
    const { differences, again, with: sides } = comparedOf(part, compared) ?? { differences: 0 };
    if (differences === 0) return [];
    if (differences === null) {
      const changed = `The files of ${resource} have changed since they were sent. Run the command again.`;
      return [step(part, changed, null)];
    }
    const look = `Look at ${counted(differences, 'difference')} between the files of ${resource} and ${sides!.join(' and ')}.`;
    return [step(part, look, again!, differences)];
  });
  const unsentSteps = unsent.map((resource) =>
    step(parts[0]!, `Nothing of the files of ${resource} was sent. Run the command again.`, null),
  );
  return [...steps, ...unsentSteps];
}
