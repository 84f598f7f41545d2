import { expect, test } from 'vitest';
import { datePattern } from '../../../../src/cli/mapping/language/date-format.ts';

test.each(['dd/mm/yyyy HH:MM', 'dd/MM/yyyy mm:HH', 'HH dd.MM.yyyy mm'])(
  'a format in which minutes do not follow hours is refused: %s',
  (format) => {
    expect(datePattern(format)).toContain('minutes (`mm`) come right after hours');
  },
);

test.each([
  ['dd/MM/yyyy hh:mm', '`hh` and `a` (AM or PM) need each other'],
  ['dd/MM/yyyy HH:mm a', '`hh` and `a` (AM or PM) need each other'],
  ['dd/MM/yyyy HH hh:mm a', 'it needs one of them'],
])('a format that counts hours to 12 says which half of the day: %s', (format, reason) => {
  expect(datePattern(format)).toContain(reason);
});

test.each(['dd/MM/yyyy hh:mm a', 'dd/MM/yyyy HH:mm', 'HHmm dd.MM.yyyy', 'yyyy-MM-dd'])(
  '%s is a format',
  (format) => {
    expect(typeof datePattern(format)).toBe('object');
  },
);
