import { describe, expect, test } from 'vitest';
import { daysAfter } from '../../../src/core/values/calendar-date.ts';
import { disguised, type Disguise } from '../../../src/cli/recording/disguise.ts';

const PLAIN: Disguise = {
  kept: new Set(['CREDIT']),
  salt: 'x',
};

describe('a disguise', () => {
  test('keeps the form of every value and none of its words', () => {
    const text = 'ACME-7,Müller & Søn,1002345,CREDIT,"say ""hello""",Strasse 12345\r\n';
    const other = disguised(text, PLAIN);
    const formOf = (value: string) => value.replaceAll(/\p{L}/gu, 'a').replaceAll(/[1-9]/g, '9');
    expect(formOf(other)).toBe(formOf(text));
    expect(other).toContain(',CREDIT,');
    expect(other).not.toMatch(/ACME|ller|1002345|hello|Stra|rasse|12345/);
  });

  test('gives equal values the same replacement, and another recording another one', () => {
    const [first, second, third] = disguised('Miller;Smith;Miller', PLAIN).split(';');
    expect(first).toBe(third);
    expect(first).not.toBe(second);
    expect(disguised('Miller', { ...PLAIN, salt: 'y' })).not.toBe(first);
  });

  test.each([
    ['2026-02-14', '2022-02-14'],
    ['14.02.2026', '14.02.2022'],
    ['20260214', '20220214'],
    ['2026-02-14T10:15:02Z', '2022-02-14T10:15:02Z'],
    ['30.02.2026', '30.02.2022'],
  ])('moves the year of %s and keeps the day and the time', (date, moved) => {
    expect(disguised(date, PLAIN)).toBe(moved);
  });

  test.each([
    ['1980-05-17', /^\d{4}-[01]\d-[0-3]\d$/],
    ['17.05.1980', /^[0-3]\d\.[01]\d\.\d{4}$/],
    ['19800517', /^\d{8}$/],
  ])('makes another day of %s, which may be a birthday', (date, form) => {
    const days = ['x', 'y'].map((salt) => disguised(date, { ...PLAIN, salt }));
    expect(days).toEqual([expect.stringMatching(form), expect.stringMatching(form)]);
    expect(new Set([...days, date]).size).toBe(3);
  });
});

test('no two days become one, whether they may be birthdays or not', () => {
  const days = Array.from({ length: 25_000 }, (_, day) => daysAfter('1950-01-01', day));
  expect(new Set(days.map((day) => disguised(day, PLAIN))).size).toBe(days.length);
});

test('no word becomes a word that stays', () => {
  const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
  const kept = new Set(['1', '5', 'pi']);
  for (let salt = 0; salt < 50; salt++) {
    const others = digits.map((digit) => disguised(`pi_${digit}`, { ...PLAIN, kept, salt: String(salt) }));
    expect(new Set(others).size).toBe(digits.length);
    expect(others.filter((text, index) => text === `pi_${digits[index]}`)).toEqual(['pi_1', 'pi_5']);
  }
});

test('a date within a text is no date, and letters and digits of any script become others of it', () => {
  expect(disguised('born 1980-05-17', PLAIN)).not.toMatch(/19\d\d|0[45]-17/);
  const [one, other] = ['x', 'y'].map((salt) => disguised('Łódź ١٢٣ 東', { ...PLAIN, salt }));
  expect([one, other].map((text) => /^\p{Lu}\p{Ll}{3} \p{Nd}{3} \p{Lo}$/u.test(text!))).toEqual([true, true]);
  expect(one).not.toBe(other);
});

test.each(['Ann Fox <ann@fox.uk>', 'TOM-LEE', '東京 太郎', 'Zoë Åse Løv', 'A'])(
  'nothing of %s is left where names are replaced',
  (text) => {
    const found = disguised(text, PLAIN);
    for (const word of text.match(/[\p{L}\p{N}]+/gu)!)
      expect(found.match(/[\p{L}\p{N}]+/gu)).not.toContain(word);
    expect(disguised(text, PLAIN)).toBe(found);
  },
);
