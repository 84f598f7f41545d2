import { describe, expect, test } from 'vitest';
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
  ["dd.MM.yyyy '", 'a single quote is not closed'],
])('%s is refused, because %s', (format, reason) => {
  expect(datePattern(format)).toBe(reason);
});

describe('the parts of a text', () => {
  const parts = (format: string, text: string, century?: number, months?: readonly string[]) => {
    const pattern = datePattern(format, months);
    return typeof pattern === 'string' ? pattern : pattern.parts(text, century);
  };

  test.each([
    ['dd.MM.yyyy', '05.01.2026', { year: '2026', month: '01', day: '05' }],
    ['d/M/yyyy', '5/1/2026', { year: '2026', month: '01', day: '05' }],
    ['yyyyMMdd HHmm', '20260105 0930', { year: '2026', month: '01', day: '05', hour: '09', minute: '30' }],
    [
      "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
      '2026-01-05T09:30:15.250+0130',
      {
        year: '2026',
        month: '01',
        day: '05',
        hour: '09',
        minute: '30',
        second: '15',
        fraction: '250',
        offset: '+01:30',
      },
    ],
    [
      'yyyy-MM-dd HH:mmXXX',
      '2026-01-05 09:30Z',
      { year: '2026', month: '01', day: '05', hour: '09', minute: '30', offset: 'Z' },
    ],
    [
      'yyyy-MM-dd HH:mmXXX',
      '2026-01-05 09:30-05',
      { year: '2026', month: '01', day: '05', hour: '09', minute: '30', offset: '-05:00' },
    ],
    ['d MMM yyyy', '5 dEC 2026', { year: '2026', month: '12', day: '05' }],
    [
      'd MMM yyyy H:mm',
      '5 Jan 2026 9:30',
      { year: '2026', month: '01', day: '05', hour: '09', minute: '30' },
    ],
    [
      'dd.MM.yyyy h:mm a',
      '05.01.2026 12:05 AM',
      { year: '2026', month: '01', day: '05', hour: '00', minute: '05' },
    ],
    [
      'dd.MM.yyyy h:mm a',
      '05.01.2026 1:05 P.M.',
      { year: '2026', month: '01', day: '05', hour: '13', minute: '05' },
    ],
    [
      'dd.MM.yyyy h:mm a',
      '05.01.2026 0:05 AM',
      { year: '2026', month: '01', day: '05', hour: '99', minute: '05' },
    ],
    [
      'dd.MM.yyyy h:mm a',
      '05.01.2026 13:05 AM',
      { year: '2026', month: '01', day: '05', hour: '99', minute: '05' },
    ],
    ["d'. 'MM''yyyy", "5. 01'2026", { year: '2026', month: '01', day: '05' }],
    ["d' o''clock 'MM yyyy", "5 o'clock 01 2026", { year: '2026', month: '01', day: '05' }],
    ['(dd.MM.yyyy)', '(05.01.2026)', { year: '2026', month: '01', day: '05' }],
    ['dd.MM.yyyy', '05x01x2026', undefined],
    ['dd.MM.yyyy', '05.01.20266', undefined],
    ['dd.MM.yyyy', '105.01.2026', undefined],
    ['yyyy-MM-dd HH:mmXXX', '2026-01-05 09:30+1', undefined],
  ])('%s: %s', (format, text, expected) => {
    expect(parts(format, text)).toEqual(expected);
  });

  test('have the century of the mapping, and the months of the mapping', () => {
    expect(parts('dd.MM.yy', '05.01.26', 1900)).toMatchObject({ year: '1926' });
    const months = 'ene feb mar abr may jun jul ago sep oct nov dic'.split(' ');
    expect(parts('dd MMM yyyy', '05 AGO 2026', undefined, months)).toMatchObject({ month: '08' });
    expect(parts('dd MMM yyyy', '05 Aug 2026', undefined, months)).toBeUndefined();
    const dutch = 'Jan Feb Mrt Apr Mei Jun Jul Aug Sep Okt Nov Dec'.split(' ');
    expect(parts('dd MMM yyyy', '05 mrt 2026', undefined, dutch)).toMatchObject({ month: '03' });
  });
});

test.each([
  ['dd.MM.yyyy', [false, false, false]],
  ['dd.MM.yy', [false, false, true]],
  ['dd.MM.yyyy HH:mm', [true, false, false]],
  ['dd.MM.yyyy hh:mm aXXX', [true, true, false]],
])('%s has a time, an offset, a short year: %j', (format, expected) => {
  const pattern = datePattern(format);
  if (typeof pattern === 'string') throw new Error(pattern);
  expect([pattern.hasTime, pattern.hasOffset, pattern.hasShortYear]).toEqual(expected);
});
