import { describe, expect, test } from 'vitest';
import { fitted } from '../../../../src/cli/output/progress/live-line.ts';

describe('on a terminal', () => {
  const line =
    'sending: 45120 of 100000 (45 %), 1 h 12 min left, 58 min 3 s so far, 85 rows/s, 8.1 requests/s, 8 at once (growing to 16), 45112 arrived, 4 unproven, 8 refused, 5 account_not_found, 3 invalid_choice, 3 tried again, the platform keeps failing (status 503): one request at a time, next try in 12 s';

  test.each([80, 50])('of %i columns no word is cut, and none is lost', (columns) => {
    const lines = fitted(line, columns).split('\n');
    // The spinner and a space are before the first line.
    expect(
      lines.map((each, index) => each.length + (index === 0 ? 2 : 0)).filter((length) => length >= columns),
    ).toEqual([]);
    expect(lines.map((each) => each.trim()).join(' ')).toBe(line);
    expect(lines.slice(1).every((each) => each.startsWith('  '))).toBe(true);
  });

  test('a short line stays one line', () => {
    expect(fitted('reading: 1000 rows (34 % of june.csv)', 50)).toBe('reading: 1000 rows (34 % of june.csv)');
  });
});
