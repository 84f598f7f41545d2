import { createHash } from 'node:crypto';
import { withSubject } from '../text/problem-line.ts';
import { escapeControl } from '../text/text.ts';
import type { CheckedRows } from './sarif.ts';

/** The severities of GitLab for ours. */
const SEVERITIES = { error: 'major', warning: 'minor' } as const;

/**
 * The problems of a check in the form of GitLab's reports of code quality. A problem without a file is shown at the first line of the
 * first file that was to be checked, because each needs a place.
 */
export function codeQualityText({ problems, files }: CheckedRows): string {
  const known = new Map<string, number>();
  const issues = problems.map(({ code, severity, file, line, column, header, attr, detail }) => {
    const place = { path: (file ?? files[0]!).replace(/^(\.\/)+/, ''), lines: { begin: line ?? 1 } };
    const about = [code, place.path, place.lines.begin, column ?? '', attr ?? ''].join('\0');
    // A second problem of the same cell is an issue of its own.
    const before = known.get(about) ?? 0;
    known.set(about, before + 1);
    return {
      description: escapeControl(withSubject(header ?? attr, detail)),
      check_name: `dataimport/${code}`,
      fingerprint: createHash('sha256').update(`${about}\0${before}`).digest('hex'),
      severity: SEVERITIES[severity],
      location: place,
    };
  });
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}
