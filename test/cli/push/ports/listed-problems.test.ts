import { describe, expect, test } from 'vitest';
import { listedProblems } from '../../../../src/cli/push/ports/listed-problems.ts';
import { LISTED_PROBLEMS, type LocatedProblem } from '../../../../src/cli/push/ports/report.ts';

/** A problem as `e:code:file:line`; `w` for a warning. */
function problemOf(text: string): LocatedProblem {
  const [severity, code, file, line] = text.split(':') as [string, string, string, string];
  return {
    code,
    severity: severity === 'e' ? 'error' : 'warning',
    file,
    line: Number(line),
    column: null,
    header: null,
    attr: null,
    detail: '',
    next: null,
    http_status: null,
  };
}

const textOf = ({ severity, code, file, line }: LocatedProblem): string =>
  `${severity.slice(0, 1)}:${code}:${file}:${line}`;

function listed(problems: string, limit?: number, errorGroups = '', warningGroups = ''): string {
  const all = (text: string): readonly LocatedProblem[] => text.split(' ').filter(Boolean).map(problemOf);
  const groups = (text: string) => all(text).map((first) => ({ count: 1, first, lines: [] }));
  const given = {
    problems: all(problems),
    errorGroups: groups(errorGroups),
    warningGroups: groups(warningGroups),
  };
  return listedProblems(given, limit).map(textOf).join(' ');
}

describe('problems', () => {
  test('are all listed where they fit, errors before warnings', () => {
    expect(listed('w:a:x:1 e:b:x:2 w:c:x:3 e:b:x:4', 4)).toBe('e:b:x:2 e:b:x:4 w:a:x:1 w:c:x:3');
    expect(listed('')).toBe('');
  });

  test('of each code are listed once at least, in their order', () => {
    expect(listed('e:a:x:1 e:a:x:2 e:a:x:3 e:b:x:4 w:c:x:5', 3)).toBe('e:a:x:1 e:b:x:4 w:c:x:5');
    expect(listed('e:a:x:1 e:a:x:2 e:a:x:3 e:b:x:4 w:c:x:5', 4)).toBe('e:a:x:1 e:a:x:2 e:b:x:4 w:c:x:5');
    expect(listed('e:a:x:1 e:b:x:2 w:c:x:3', 2)).toBe('e:a:x:1 e:b:x:2 w:c:x:3');
  });

  test('of a code in another file come before further ones in the same', () => {
    expect(listed('e:a:x:1 e:a:x:2 e:a:x:3 e:a:y:4', 2)).toBe('e:a:x:1 e:a:y:4');
    expect(listed('e:a:x:1 e:a:x:2 e:a:x:3 e:a:y:4 w:a:y:5', 3)).toBe('e:a:x:1 e:a:y:4 w:a:y:5');
  });

  test('with a code of both severities are two', () => {
    expect(listed('e:a:x:1 e:a:x:2 w:a:x:3 w:a:x:4', 2)).toBe('e:a:x:1 w:a:x:3');
  });

  test('that only the groups know are listed, too, each once', () => {
    expect(listed('e:a:x:1', 9, 'e:a:x:1 e:b:x:2', 'w:c:x:3 w:c:y:4 w:a:x:5')).toBe(
      'e:a:x:1 e:b:x:2 w:c:x:3 w:a:x:5',
    );
  });

  test('are as many as a report lists', () => {
    const many = Array.from({ length: LISTED_PROBLEMS + 1 }, (_, at) => `e:a:x:${at + 1}`);
    expect(listed(many.join(' ')).split(' ')).toEqual(many.slice(0, LISTED_PROBLEMS));
  });
});
