import { expect, test } from 'vitest';
import { textDamage } from '../../../src/cli/push/text-damage.ts';
import { inEncoding } from '../../support/csv-encodings.ts';
import { Decimal } from '../../../src/core/values/decimal.ts';

const found = (value: unknown) => textDamage(value).map(({ code, path }) => `${path.join('.')} ${code}`);

test.each([
  'paid £10',
  'Müller',
  'SÃO PAULO',
  'CÂMARA',
  'Â',
  'naïve',
  '日本語',
  'a\u200db',
  '',
  '12 m³ gas',
  'kWh/m³a',
  'cm³',
  'x¹ y²',
  'œuvre',
  'fête',
  'Æbleskive',
  '¿qué?',
  'Dvæggene',
])('%j has no mark of damage', (body) => {
  expect(found({ body })).toEqual([]);
});

test.each(['£', 'ü', 'é', 'ß', 'à', '’', '€', 'Ü'])(
  '%s that was read as Windows-1252 is told, and again when that was done twice',
  (character) => {
    const once = new TextDecoder('windows-1252').decode(Buffer.from(`x${character}y`));
    const twice = new TextDecoder('windows-1252').decode(Buffer.from(once));
    expect(found({ body: once })).toEqual(['body text_decoded_wrongly']);
    expect(found({ body: twice })).toEqual(['body text_decoded_wrongly']);
  },
);

test.each(['młody', 'odpłata', 'późniejsza opłata', 'mąka', 'każdy', 'dość', 'część'])(
  '%s of Windows-1250 that was read as Windows-1252 is told',
  (word) => {
    const bytes = inEncoding(word, 'windows-1250');
    const body = new TextDecoder('windows-1252').decode(bytes);
    expect(textDamage({ body })).toEqual([
      {
        code: 'text_decoded_wrongly',
        path: ['body'],
        severity: 'warning',
        facts: { was: 'Windows-1250', encoding: 'windows-1250' },
      },
    ]);
    expect(found({ body: word })).toEqual([]);
  },
);

test('marks of earlier damage are told at the text that has them, however deep', () => {
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
