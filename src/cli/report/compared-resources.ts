import type { Resource } from '../../core/contract/resources.ts';
import { counted } from '../output/text/text.ts';
import type { ReportPart, ReportStep } from './page/migration-report.ts';

/** The files of a cohort, compared with what is there. */
export interface ComparedResources {
  /** The command that compares them again, and names each difference. */
  readonly again: string;
  readonly with: readonly string[];
  readonly allowsOthers: boolean;
  /** Differences that the outcomes of the rows do not explain; null for files that have changed since they were sent. */
  readonly differences: ReadonlyMap<Resource, number | null>;
}

/** What a comparison with the files leaves to do. */
export function comparingSteps(
  parts: readonly ReportPart[],
  compared: ComparedResources | undefined,
): readonly ReportStep[] {
  return parts.flatMap(({ compared: found, resource, runs }): readonly ReportStep[] => {
    if (!found || !compared || found.differences === 0) return [];
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
            command: compared.again,
          },
        ];
  });
}
