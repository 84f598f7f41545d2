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

test.each([
  ['dd.MM', 'it needs one of `yyyy` and `yy`'],
  ['dd.MM.yy yyyy', 'it needs one of `yyyy` and `yy`'],
  ['dd.yyyy', 'it needs one of `MM`, `M` and `MMM`'],
  ['dd.M MMM.yyyy', 'it needs one of `MM`, `M` and `MMM`'],
  ['MM.yyyy', 'it needs `dd` or `d`'],
  ['dd.MM.yyyy H h:mm a', '`HH` counts to 24 and `hh` to 12: it needs one of them'],
  ['dd.MM.yyyy HH', 'hours and minutes need each other'],
  ['dd.MM.yyyy mm', 'hours and minutes need each other'],
  ['dd.MM.yyyy ss', 'seconds need minutes'],
  ['dd.MM.yyyy HH:mm.SSS', '`SSS` needs `ss`'],
  ['dd.MM.yyyy XXX', '`XXX` needs a time'],
  ['dd.MM.yyyy Q', 'there is no token `Q`; put text in single quotes'],
  ['dd.MM.yyyy MM', '`MM` repeats another token'],
  ['dMyyyy', '`M` needs a mark between it and the token of one letter before it'],
  ["dd.MM.yyyy '", 'a single quote is not closed'],
])('%s is refused, because %s', (format, reason) => {
  expect(datePattern(format)).toBe(reason);
});
