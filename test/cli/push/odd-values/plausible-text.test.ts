import { describe, expect, test } from 'vitest';
import { identifierDamage, textDamage } from '../../../../src/cli/push/odd-values/plausible-text.ts';
import { sentenceOf } from '../../../../src/core/error-codes/sentence.ts';
import { Decimal } from '../../../../src/core/values/decimal.ts';
import { inEncoding } from '../../../support/csv-encodings.ts';

describe('an identifier', () => {
  const codeOf = (id: string) => identifierDamage(id, ['transaction_id'])?.code;

  const PLAIN = `T-1 00123 caf\u00e9 名前-1 =1+1 @x +1 -1 #12 12E34 3E107963 0E780059 O'Brien-1 's-1 =" 1.5 NAN-7
    NULLARBOR n.a.1 none-such __proto__ (1) .5 ?x`;
  test.each(['A B', ...PLAIN.split(/\s+/)])('%s is plausible', (id) => {
    expect(codeOf(id)).toBeUndefined();
  });

  test.each(['1.23457E+12', '1,23457E+12', '1E+12', '-2.5e+07', '5E-05'])(
    '%s is a number that a spreadsheet shortened',
    (id) => {
      expect(codeOf(id)).toBe('spreadsheet_damage');
    },
  );

  test.each([
    ['="007006"', `'^="|"$'`],
    ["'7011", `"^'"`],
  ])('%s is a text as a spreadsheet writes it, and the problem says how to repair it', (id, remove) => {
    expect(identifierDamage(id, ['transaction_id'])).toMatchObject({
      code: 'identifier_has_text_mark',
      severity: 'error',
      facts: { remove },
    });
  });

  const NOTHING = String.raw`#N/A #REF! #VALUE! #NAME? #DIV/0! #NV #BEZUG! ######## NULL null (null) <null> \N N/A n.a. NaN
    none Nil undefined - -- ? ...`;
  test.each(NOTHING.split(/\s+/))('%s means that there is no value', (id) => {
    expect(codeOf(id)).toBe('identifier_is_no_value');
  });

  test.each([
    [' A1', 'has the space U+0020 at its beginning'],
    ['A1 ', 'has the space U+0020 at its end'],
    ['\tA1', 'has the tab U+0009 at its beginning'],
    ['A1\u00a0', 'has the no-break space U+00A0 at its end'],
    ['A\u200b1', 'has the zero-width space U+200B inside'],
    ['A\u20031', 'has the invisible character U+2003 inside'],
    ['A\u202e1', 'has the invisible character U+202E inside'],
    ['A\u00ad1', 'has the soft hyphen U+00AD inside'],
    ['\ufeffA1', 'has the byte order mark U+FEFF at its beginning'],
    ['A\r\n1', 'has the line break U+000D inside'],
    ['A1\u{e0001}', 'has the invisible character U+E0001 at its end'],
  ])('%j has an invisible character that the problem names', (id, sentence) => {
    const problem = identifierDamage(id, ['transaction_id'])!;
    expect(problem).toMatchObject({ code: 'identifier_has_spaces', severity: 'error' });
    expect(sentenceOf(problem.code, problem.facts)).toBe(sentence);
  });
});

describe('a text', () => {
  const found = (value: unknown) => textDamage(value).map(({ code, path }) => `${path.join('.')} ${code}`);

  test.each([
    ...'|paid £10|SÃO PAULO|12 m³ gas|x¹ y²|a\u200db|Müller|CÂMARA|Â|naïve|日本語|kWh/m³a|cm³|œuvre'.split(
      '|',
    ),
    ...'fête|Æbleskive|¿qué?|Dvæggene'.split('|'),
  ])('%j is undamaged', (body) => {
    expect(found({ body })).toEqual([]);
  });

  test.each(['£', 'ü', 'é', 'ß', 'à', '’', '€', 'Ü'])(
    '%s that was decoded as Windows-1252 is reported, also when that happened twice',
    (character) => {
      const once = new TextDecoder('windows-1252').decode(Buffer.from(`x${character}y`));
      const twice = new TextDecoder('windows-1252').decode(Buffer.from(once));
      expect(found({ body: once })).toEqual(['body text_decoded_wrongly']);
      expect(found({ body: twice })).toEqual(['body text_decoded_wrongly']);
    },
  );

  test.each(['młody', 'odpłata', 'późniejsza opłata', 'mąka', 'każdy', 'dość', 'część'])(
    '%s of Windows-1250 that was decoded as Windows-1252 is reported',
    (word) => {
      const bytes = inEncoding(word, 'windows-1250');
      const body = new TextDecoder('windows-1252').decode(bytes);
      expect(textDamage({ body })).toEqual([
        {
          code: 'text_decoded_wrongly',
          path: ['body'],
          severity: 'warning',
          facts: { was: 'Windows-1250', as: 'Windows-1252', encoding: 'windows-1250' },
        },
      ]);
      expect(found({ body: word })).toEqual([]);
    },
  );

  test('nested in a record is reported at its path when it was damaged earlier', () => {
    const record = {
      body: 'M\ufffdller',
      note: `a\ufeffb\ufffd`,
      amount: Decimal.of('1.00'),
      flag: true,
      nothing: null,
      document_paths: [{ document_path: 'a.pdf' }, { document_path: 'b\ufffd.pdf' }],
    };
    expect(found(record)).toEqual([
      'body text_damaged',
      'note text_has_byte_order_mark',
      'note text_damaged',
      'document_paths.1.document_path text_damaged',
    ]);
  });
});
