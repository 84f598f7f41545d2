import { describe, expect, test } from 'vitest';
import {
  dateFormatNeeds,
  dateReader,
  type DateKind,
  type DateSpec,
} from '../../../../src/cli/mapping/language/date-reader.ts';

interface Setting extends Omit<DateSpec, 'format'> {
  readonly kind?: DateKind;
}

/** The value, or the code of the problem. */
function read(text: string, format: string | readonly string[], more: Partial<Setting> = {}): string {
  const { kind = 'date', ...spec } = more;
  const result = dateReader(kind, { decimal_mark: '.', format: [format].flat(), ...spec })(text);
  return typeof result === 'string' ? result : result.problem.code;
}

const LONDON = { kind: 'datetime', time_zone: 'Europe/London' } as const;

describe('a date', () => {
  test.each([
    ['2024-02-29', 'yyyy-MM-dd', '2024-02-29'],
    ['31.12.2025', 'dd.MM.yyyy', '2025-12-31'],
    ['1/2/2024', 'd/M/yyyy', '2024-02-01'],
    ['20251231', 'yyyyMMdd', '2025-12-31'],
    ['05-MAR-2024', 'dd-MMM-yyyy', '2024-03-05'],
    ['2024年3月5日', 'yyyy年M月d日', '2024-03-05'],
    ["5th of Mar 2024 o'clock", "d'th of 'MMM yyyy' o''clock'", '2024-03-05'],
    ['31.12.2025 23:59:59', 'dd.MM.yyyy HH:mm:ss', '2025-12-31'],
    ['2025-12-31T23:30:00', 'iso', '2025-12-31'],
    ['45291', 'excel_serial', '2023-12-31'],
    ['45291.0', 'excel_serial', '2023-12-31'],
    ['1', 'excel_serial', '1900-01-01'],
    ['59', 'excel_serial', '1900-02-28'],
    ['61', 'excel_serial', '1900-03-01'],
  ])('%j in the format %s is %s', (text, format, expected) => {
    expect(read(text, format)).toBe(expected);
  });

  test.each([
    ['1', 'yyyy-MM-dd', 'date_unreadable'],
    ['1.1.2025', 'dd.MM.yyyy', 'date_unreadable'],
    ['31.12.2025 ', 'dd.MM.yyyy', 'date_unreadable'],
    ['[C112] 13/25/2024'.slice(7), 'dd/MM/yyyy', 'date_nonexistent'],
    ['29.02.2023', 'dd.MM.yyyy', 'date_nonexistent'],
    ['29.02.1900', 'dd.MM.yyyy', 'date_nonexistent'],
    ['31.04.2024', 'dd.MM.yyyy', 'date_nonexistent'],
    ['31.12.2025 24:00:00', 'dd.MM.yyyy HH:mm:ss', 'date_nonexistent'],
    ['31.12.2025 10:00:60', 'dd.MM.yyyy HH:mm:ss', 'date_nonexistent'],
    ['05 MRZ 2024', 'dd MMM yyyy', 'date_unreadable'],
    ['0', 'excel_serial', 'date_nonexistent'],
    ['60', 'excel_serial', 'date_nonexistent'],
    ['2958466', 'excel_serial', 'date_nonexistent'],
    ['45291.5', 'excel_serial', 'date_unreadable'],
    ['45291,0', 'excel_serial', 'date_unreadable'],
    ['-1', 'excel_serial', 'date_unreadable'],
    ['2025-12-31T23:30:00+15:00', 'iso', 'date_nonexistent'],
  ])('%j in the format %s is refused: %s', (text, format, code) => {
    expect(read(text, format)).toBe(code);
  });

  test.each([
    ['not known, when nobody names a zone', undefined, 'date_ambiguous'],
    ['that in UTC, when UTC is named', 'UTC', '2026-01-01'],
    ['that of the zone, when one is named', 'Australia/Sydney', '2026-01-01'],
  ])('of a time with an offset is %s', (_, timeZone, expected) => {
    const zone = timeZone === undefined ? {} : { time_zone: timeZone };
    expect(read('2025-12-31T23:30:00-05:00', 'iso', zone)).toBe(expected);
  });

  const FRENCH = 'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'.split(' ');
  test.each([
    ['5 janv. 2024', '2024-01-05'],
    ['5 août 2024', '2024-08-05'],
    ['5 AOÛT 2024', '2024-08-05'],
    ['5 Déc. 2024', '2024-12-05'],
    ['5 dec. 2024', 'date_unreadable'],
    ['5 déc 2024', 'date_unreadable'],
    ['5 décx 2024', 'date_unreadable'],
    ['5 Dec 2024', 'date_unreadable'],
  ])('%j with the months of another language is %s', (text, expected) => {
    expect(read(text, 'd MMM yyyy', { months: FRENCH })).toBe(expected);
    expect(read(text, 'd MMM yyyy')).toBe(text === '5 Dec 2024' ? '2024-12-05' : 'date_unreadable');
  });

  test.each([
    ['2024-03-05 12:00 AM', 'yyyy-MM-dd hh:mm a', '2024-03-05T00:00:00Z'],
    ['2024-03-05 12:30 pm', 'yyyy-MM-dd hh:mm a', '2024-03-05T12:30:00Z'],
    ['3/5/2024 1:05 p.m.', 'M/d/yyyy h:mm a', '2024-03-05T13:05:00Z'],
    ['3/5/2024 11:59:58PM', 'M/d/yyyy h:mm:ssa', '2024-03-05T23:59:58Z'],
    ['2024-03-05 13:05 PM', 'yyyy-MM-dd hh:mm a', 'date_nonexistent'],
    ['2024-03-05 00:05 AM', 'yyyy-MM-dd hh:mm a', 'date_nonexistent'],
    ['2024-03-05 10:00:00 +0000', 'yyyy-MM-dd HH:mm:ss XXX', '2024-03-05T10:00:00Z'],
    ['2024-03-05 10:00:00+01', 'yyyy-MM-dd HH:mm:ssXXX', '2024-03-05T09:00:00Z'],
    ['2024-03-05 10:00:00-0530', 'yyyy-MM-dd HH:mm:ssXXX', '2024-03-05T15:30:00Z'],
    ['2024-03-05 10:00:00+1', 'yyyy-MM-dd HH:mm:ssXXX', 'date_unreadable'],
  ])('of the clock %j in the format %s is %s', (text, format, expected) => {
    expect(read(text, format, { kind: 'datetime', time_zone: 'UTC' })).toBe(expected);
  });

  test('[C113] a year of two digits has the century of the mapping', () => {
    expect(read('31.12.98', 'dd.MM.yy', { century: 1900 })).toBe('1998-12-31');
  });

  test.each([
    ['[C111]', '01/02/2024', 'date_ambiguous'],
    ['', '13/02/2024', '2024-02-13'],
    ['', '02/02/2024', '2024-02-02'],
  ])('%s that fits two formats has to be the same in both: %s', (_, text, expected) => {
    expect(read(text, ['dd/MM/yyyy', 'MM/dd/yyyy'])).toBe(expected);
  });

  test.each([
    ['1711846800', 'epoch_seconds', '2024-03-31'],
    ['1711846800000', 'epoch_milliseconds', '2024-03-31'],
  ])('%s of the clock is on a day of its zone (%s)', (text, format, expected) => {
    expect(read(text, format, { time_zone: 'Europe/London' })).toBe(expected);
    expect(read('1711839599', 'epoch_seconds', { time_zone: 'Asia/Tokyo' })).toBe('2024-03-31');
    expect(read('1711839599', 'epoch_seconds', { time_zone: 'America/New_York' })).toBe('2024-03-30');
  });
});

describe('a date-time', () => {
  test.each([
    ['2024-07-01T12:00:00+01:00', 'iso', '2024-07-01T11:00:00Z'],
    ['2024-07-01 12:00:00', 'iso', '2024-07-01T11:00:00Z'],
    ['01.07.2024 12:00', 'dd.MM.yyyy HH:mm', '2024-07-01T11:00:00Z'],
    ['01.01.2024 12:00:00', 'dd.MM.yyyy HH:mm:ss', '2024-01-01T12:00:00Z'],
    ['2024-07-01 12:00:00.250', 'yyyy-MM-dd HH:mm:ss.SSS', '2024-07-01T11:00:00.25Z'],
    ['2024-07-01T12:00:00+09:30', "yyyy-MM-dd'T'HH:mm:ssXXX", '2024-07-01T02:30:00Z'],
    ['1711846800', 'epoch_seconds', '2024-03-31T01:00:00Z'],
    ['1711846800250', 'epoch_milliseconds', '2024-03-31T01:00:00.25Z'],
    ['45474.5', 'excel_serial', '2024-07-01T11:00:00Z'],
    // 12:30:15 as a spreadsheet writes it.
    ['45474.521006944445', 'excel_serial', '2024-07-01T11:30:15Z'],
    ['45474', 'excel_serial', '2024-06-30T23:00:00Z'],
  ])('%j in the format %s is %s', (text, format, expected) => {
    expect(read(text, format, LONDON)).toBe(expected);
  });

  test.each([
    ['[C117]', '2024-07-01T12:00:00', 'iso', 'date_unreadable', undefined],
    ['[C118]', '2024-07-01T24:00:00Z', 'iso', 'date_nonexistent', 'Europe/London'],
    ['[C119]', '2024-07-01T10:00:60Z', 'iso', 'date_nonexistent', 'Europe/London'],
    ['', '2024-07-01', 'iso', 'date_unreadable', 'Europe/London'],
    ['', '2024-07-01T12:00:00+15:00', 'iso', 'date_nonexistent', 'Europe/London'],
    ['', '99999999999999', 'epoch_seconds', 'date_nonexistent', 'Europe/London'],
  ])('%s %j in the format %s is refused: %s', (_, text, format, code, timeZone) => {
    expect(read(text, format, { kind: 'datetime', time_zone: timeZone })).toBe(code);
  });

  test.each<[what: string, text: string, zone: string, all: string]>([
    ['[C115]', '2024-03-31 01:30:00', 'Europe/London', 'time_skipped'],
    [
      '[C116]',
      '2024-10-27 01:30:00',
      'Europe/London',
      'time_repeated 2024-10-27T00:30:00Z 2024-10-27T01:30:00Z',
    ],
    [
      'half an hour',
      '2024-04-07 01:45:00',
      'Australia/Lord_Howe',
      'time_repeated 2024-04-06T14:45:00Z 2024-04-06T15:15:00Z',
    ],
    ['half an hour', '2024-10-06 02:15:00', 'Australia/Lord_Howe', 'time_skipped'],
    ['beside it', '2024-03-31 00:59:59', 'Europe/London', '2024-03-31T00:59:59Z'],
    ['beside it', '2024-03-31 02:00:00', 'Europe/London', '2024-03-31T01:00:00Z'],
  ])('%s %s in %s: without `fold`, earlier and later %s', (_, text, timeZone, expected) => {
    const all = ([undefined, 'earlier', 'later'] as const).map((fold) =>
      read(text, 'iso', { ...LONDON, time_zone: timeZone, fold }),
    );
    expect([...new Set(all)].join(' ')).toBe(expected);
  });

  test('a date-time without a time has the time of day of the mapping', () => {
    expect(read('01.07.2024', 'dd.MM.yyyy', { ...LONDON, at: '12:00:00' })).toBe('2024-07-01T11:00:00Z');
  });
});

describe('the problem of a date', () => {
  const problemOf = (text: string, format: string | readonly string[], more: Partial<Setting> = {}) => {
    const { kind = 'date', ...spec } = more;
    const result = dateReader(kind, { decimal_mark: '.', format: [format].flat(), ...spec })(text);
    if (typeof result === 'string') return result;
    const { code, severity, path, facts } = result.problem;
    expect([severity, path]).toEqual(['error', []]);
    return { code, ...facts };
  };
  const unreadable = (formats: string) => ({ code: 'date_unreadable', formats });

  test.each<readonly [string, string | readonly string[], Partial<Setting>, unknown]>([
    ['x', 'dd.MM.yyyy', {}, unreadable('`dd.MM.yyyy`')],
    ['x', ['dd.MM.yyyy', 'iso'], {}, unreadable('`dd.MM.yyyy` or `iso`')],
    ['x', ['dd.MM.yyyy HH:mm', 'iso'], LONDON, unreadable('`dd.MM.yyyy HH:mm` or `iso`')],
    ['x', 'iso', { kind: 'datetime' }, unreadable('`iso` with an offset')],
    [
      'x',
      ['epoch_seconds', 'iso'],
      { kind: 'datetime' },
      unreadable('`epoch_seconds` or `iso` with an offset'),
    ],
    ['31.02.2026', 'dd.MM.yyyy', {}, { code: 'date_nonexistent' }],
    ['2026-01-05T10:00:00Z', 'iso', {}, expect.objectContaining({ code: 'date_ambiguous' })],
    ['2024-03-31 01:30:00', 'iso', LONDON, { code: 'time_skipped', zone: 'Europe/London' }],
    ['2024-10-27 01:30:00', 'iso', LONDON, { code: 'time_repeated', zone: 'Europe/London' }],
    [
      '01/02/2026',
      ['iso', 'dd/MM/yyyy', 'dd.MM.yyyy', 'MM/dd/yyyy'],
      {},
      {
        code: 'date_ambiguous',
        reason: 'fits the formats `dd/MM/yyyy` or `MM/dd/yyyy`, which make different dates of it',
      },
    ],
    // The nearest format decides: one that the text is written in.
    ['31.02.2026', ['iso', 'dd.MM.yyyy'], {}, { code: 'date_nonexistent' }],
    ['31.02.2026', ['dd.MM.yyyy', 'iso'], {}, { code: 'date_nonexistent' }],
    ['31.02.2026', ['dd.MM.yyyy', 'MM.dd.yyyy'], {}, { code: 'date_nonexistent' }],
    ['13.02.2026', ['MM.dd.yyyy', 'dd.MM.yyyy'], {}, '2026-02-13'],
    ['13.02.2026', ['dd.MM.yyyy', 'MM.dd.yyyy'], {}, '2026-02-13'],
  ])('%j in %j %j is %j', (text, format, more, expected) => {
    expect(problemOf(text, format, more)).toEqual(expected);
  });
});

describe('a day that a spreadsheet counts', () => {
  const UTC = { kind: 'datetime', time_zone: 'UTC' } as const;
  test.each<readonly [string, Partial<Setting>, string]>([
    ['45474', UTC, '2024-07-01T00:00:00Z'],
    ['45474', { ...UTC, at: '12:00:00' }, '2024-07-01T12:00:00Z'],
    ['45474.5', { ...UTC, at: '13:00:00' }, '2024-07-01T12:00:00Z'],
    ['45474.0', { ...UTC, at: '12:00:00' }, '2024-07-01T00:00:00Z'],
    ['45474.25', UTC, '2024-07-01T06:00:00Z'],
    ['45474,25', { ...UTC, decimal_mark: ',' }, '2024-07-01T06:00:00Z'],
    ['45474.25', { ...UTC, decimal_mark: ',' }, 'date_unreadable'],
    // 10:09:08 has 36,548 of 86,400 seconds.
    ['45474.4230092593', UTC, '2024-07-01T10:09:08Z'],
    ['45474.4230092', UTC, '2024-07-01T10:09:07.995Z'.replace('07.995', '08')],
    ['45474.42300911', UTC, '2024-07-01T10:09:07.987Z'],
    ['45474.42300932', UTC, '2024-07-01T10:09:08Z'],
    ['45474.42300938', UTC, '2024-07-01T10:09:08.01Z'],
    // The last instant of a day is the first of the next.
    ['45474.99999999', UTC, '2024-07-02T00:00:00Z'],
    ['45474.9999', UTC, '2024-07-01T23:59:51.36Z'],
    ['12345678', UTC, 'date_unreadable'],
    ['45474.', UTC, 'date_unreadable'],
    ['45474.00', {}, '2024-07-01'],
    ['45474.01', {}, 'date_unreadable'],
  ])('%s %j is %s', (text, more, expected) => {
    expect(read(text, 'excel_serial', more)).toBe(expected);
  });
});

describe('a format leaves open', () => {
  const needs = (kind: string, format: string | readonly string[], more: object = {}) =>
    dateFormatNeeds(kind, { decimal_mark: '.', format: [format].flat(), ...more }).map(
      ({ code, path, facts }) => {
        expect([code, path]).toEqual(['mapping_value_invalid', []]);
        return String(facts['what']).slice('needs '.length);
      },
    );
  const ZONE = (format: string) => `\`time_zone\` for the format \`${format}\``;

  test.each<readonly [string, string | readonly string[], object, readonly string[]]>([
    ['date', 'dd.MM.yyyy', {}, []],
    ['date', 'dd.MM.yyyy HH:mm', {}, []],
    ['date', 'iso', {}, []],
    ['datetime', 'iso', {}, []],
    ['date', 'excel_serial', {}, []],
    ['datetime', 'excel_serial', {}, [ZONE('excel_serial')]],
    ['datetime', 'excel_serial', { time_zone: 'UTC' }, []],
    ['date', 'epoch_seconds', {}, [ZONE('epoch_seconds')]],
    ['date', 'epoch_milliseconds', { time_zone: 'UTC' }, []],
    ['datetime', 'epoch_seconds', {}, []],
    ['date', 'dd.MM.yyyy HH:mmXXX', {}, [ZONE('dd.MM.yyyy HH:mmXXX')]],
    ['date', 'dd.MM.yyyy HH:mmXXX', { time_zone: 'UTC' }, []],
    ['datetime', 'dd.MM.yyyy HH:mmXXX', {}, []],
    ['datetime', 'dd.MM.yyyy HH:mm', {}, [ZONE('dd.MM.yyyy HH:mm')]],
    ['datetime', 'dd.MM.yyyy HH:mm', { time_zone: 'UTC' }, []],
    ['date', 'dd.MM.yy', {}, ['`century` for the format `dd.MM.yy`, such as 2000']],
    ['date', 'dd.MM.yy', { century: 2000 }, []],
    ['date', 'QQ', {}, []],
    [
      'datetime',
      'dd.MM.yy',
      {},
      [
        '`century` for the format `dd.MM.yy`, such as 2000',
        ZONE('dd.MM.yy'),
        '`at`, a time of day, for the format `dd.MM.yy`',
      ],
    ],
    ['datetime', 'dd.MM.yyyy', { time_zone: 'UTC', at: '10:00:00' }, []],
    [
      'date',
      ['dd.MM.yy', 'dd.MM.yy', 'd.M.yy'],
      {},
      ['dd.MM.yy', 'd.M.yy'].map((each) => `\`century\` for the format \`${each}\`, such as 2000`),
    ],
  ])('of a %s in %j %j: %j', (kind, format, more, expected) => {
    expect(needs(kind, format, more)).toEqual(expected);
  });
});
