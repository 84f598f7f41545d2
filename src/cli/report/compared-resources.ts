import type { Resource } from '../../core/contract/resources.ts';
import { openRows } from '../ending/ending.ts';
import { counted } from '../output/text/text.ts';
import type { RowCounts } from '../push/ports/report.ts';
import type { ReportPart, ReportStep } from './page/migration-report.ts';

/** What a comparison of files has found. */
export interface FoundDifferences {
  readonly with: readonly string[];
  /** Null for files that have changed since they were sent. */
  readonly differences: number | null;
  /** Rows of the files that have not arrived. */
  readonly missing: number;
  /** The command that compares them again, and names each difference. */
  readonly again: string;
}

/** Files that were compared with what is there. */
export interface ComparedResources {
  readonly allowsOthers: boolean;
  /** The comparison of the files of a part of the report; undefined when they were not compared. */
  of(
    part: Pick<ReportPart, 'resource'> & { readonly runs: readonly { readonly run: string }[] },
  ): FoundDifferences | undefined;
  /** All resources of the cohort; none without one. */
  readonly all: readonly Resource[];
}

/**
 * The comparisons of files, where those with rows that have not arrived count as changed although nothing is open in `rows`: a journal may
 * have forgotten such a row, because other files had it, too, and have it no more.
 */
export function withoutUnread(compared: ComparedResources, rows: RowCounts): ComparedResources {
  if (openRows(rows) > 0) return compared;
  return {
    ...compared,
    of(part) {
      const found = compared.of(part);
      return found?.differences === 0 && found.missing > 0 ? { ...found, differences: null } : found;
    },
  };
}

/** What a comparison with the files leaves to do. `unsent`: resources of the cohort that have no run. */
export function comparingSteps(
  parts: readonly ReportPart[],
  unsent: readonly Resource[],
  compared: ComparedResources | undefined,
): readonly ReportStep[] {
  const run = parts[0]!.runs[0]!.run;
  const unsentSteps = unsent.map((resource) => ({
    who: 'importer' as const,
    what: `Nothing of the files of ${resource} was sent. Run the command again.`,
    command: null,
    run,
    rows: 0,
  }));
  const steps = parts.flatMap((part): readonly ReportStep[] => {
    const { resource, runs } = part;
    const found = compared?.of(part);
    if (!found || found.differences === 0) return [];
    const step = { who: 'importer', run: runs[0]!.run, rows: found.differences ?? 0 } as const;
    return found.differences === null
      ? [
          {
            ...step,
            what: `The files of ${resource} have changed since they were sent. Run the command again.`,
            command: null,
          },
        ]
      : [
          {
            ...step,
            what: `Look at ${counted(found.differences, 'difference')} between the files of ${resource} and ${found.with.join(' and ')}.`,
            command: found.again,
          },
        ];
  });
  return [...steps, ...unsentSteps];
}
