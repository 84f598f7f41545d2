import type { ReportPart } from './migration-report.ts';

const NAMED_FILES = 3;

/** `transactions (june.csv)` */
export function resourceWords({ resource, runs }: Pick<ReportPart, 'resource' | 'runs'>): string {
  const files = [...new Set(runs.flatMap(({ sources }) => sources.map(({ name }) => name)))];
  const more = files.length > NAMED_FILES ? ` and ${files.length - NAMED_FILES} more` : '';
  return `${resource} (${files.slice(0, NAMED_FILES).join(', ')}${more})`;
}
