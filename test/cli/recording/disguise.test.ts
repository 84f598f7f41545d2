import { describe, expect, test } from 'vitest';
import { disguised, type Disguise } from '../../../src/cli/recording/disguise.ts';

const PLAIN: Disguise = {
  kept: new Set(['CREDIT']),
  salt: 'x',
};

describe('a disguise', () => {
  test('keeps the form of every value and none of its words', () => {
    const text = 'ACME-7,Müller & Søn,1002345,CREDIT,"say ""hello""",Strasse 12345\r\n';
    const other = disguised(text, PLAIN);
    const formOf = (value: string) =>
      value
        .replaceAll(/\p{Lu}/gu, 'A')
        .replaceAll(/\p{Ll}/gu, 'a')
        .replaceAll(/[1-9]/g, '9');
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
    ['2026-02-14T10:15:02Z', '2022-02-14T10:15:02Z'],
    ['2026-02-30', '2022-02-30'],
  ])('moves the year of %s and keeps the day and the time', (date, moved) => {
    expect(disguised(date, PLAIN)).toBe(moved);
  });

  test('replaces the digits of a date that may be a birthday', () => {
    const days = ['x', 'y'].map((salt) => disguised('1980-05-17', { ...PLAIN, salt }));
    for (const day of days) expect(day).toMatch(/^[2-9][1-8][1-79]0-0[1-46-9]-[2-9][1-689]$/);
    expect(days[0]).not.toBe(days[1]);
  });
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

test('a date within a text is no date, and letters and digits of any script are replaced', () => {
  expect(disguised('born 1980-05-17', PLAIN)).not.toMatch(/19\d\d|0[45]-17/);
  const [one, other] = ['x', 'y'].map((salt) => disguised('Łódź ١٢٣ 東', { ...PLAIN, salt }));
  expect([one, other].map((text) => /^[A-Z][a-z]{3} [1-9]{3} [a-z]$/.test(text!))).toEqual([true, true]);
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
