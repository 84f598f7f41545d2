import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';

/** Columns for account, id, date, amount, debit, credit, text, net, tax and balance; the date; the marks; texts. */
const LANDS =
  `Konto;Belegnummer;Buchungsdatum;Betrag;Soll;Haben;Text;Netto;MwSt;Saldo|dd.MM.yyyy|,.|Abschlag für März~Rückfrage: „Zähler getauscht?“ – ja~Gutschrift & Bonus; 3.4.
Account number,Reference,Posted,Amount,Debit,Credit,Notes,Net,VAT,Balance|dd/MM/yyyy|.,|Rang about the bill~50% off; see https://x.example/a?b=c~"Final" reading~R&D site - no access
Account,Invoice,Date,Amount,Debit,Credit,Memo,Net,Tax,Balance|M/d/yyyy|.,|Customer's meter read~Paid #12 by check~Late fee waived?~Move-out 5/31
Compte;Facture;Date;Montant;Débit;Crédit;Libellé;HT;TVA;Solde|dd/MM/yyyy|, |Relevé estimé à l’œuvre, N°12~Prélèvement « refusé » !~Déménagement prévu en août
Cuenta;Factura;Fecha;Importe;Debe;Haber;Texto;Base;IVA;Saldo|dd-MM-yyyy|,.|¿Llamó ayer? Sí~Señor Núñez pide aplazamiento~Nº 12, 2.ª planta~Lectura corregida
Klantnummer;Factuur;Datum;Bedrag;Debet;Credit;Omschrijving;Netto;BTW;Saldo|yyyy-MM-dd|,.|Voorschot januari~Café ’t Hoekje belde~Meter – oud 1234
Nr konta;Dokument;Data;Kwota;Winien;Ma;Opis;Netto;Podatek;Bilans|dd.MM.yyyy|, |Opłata za prąd~Zażółć gęślą jaźń~Wpłata klienta
お客様番号,伝票番号,計上日,金額,借方,貸方,摘要,税抜,税,残高|yyyy/MM/dd|.,|電気料金（月分）~お問い合わせ：交換~ご入金`.split(
    '\n',
  );

/** Numbers from 0 to less than 1, the same for a seed in each run. */
function chances(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const WESTERN = Array.from({ length: 256 }, (_, byte) =>
  new TextDecoder('windows-1252').decode(Buffer.of(byte)),
);

const two = (number: number): string => String(number).padStart(2, '0');

/** An ordinary file, and the mapping that a person writes for it. */
function ordinary(seed: number) {
  const chance = chances(seed);
  const upTo = (most: number): number => Math.floor(chance() * most);
  const one = <T>(...of: readonly T[]): T => of[upTo(of.length)]!;
  const [header = '', date = '', [decimal, thousands] = '', texts = ''] =
    LANDS[seed % LANDS.length]!.split('|');
  const [K = '', B = '', D = '', A = '', S = '', H = '', T = '', ...taxed] = header.split(/[;,]/);
  const resource = one('transactions', 'transactions', 'notes', 'statements');
  const [isLines, hasSides, hasTax, quotesAll] = [0.15, 0.3, 0.4, 0.3].map((share) => chance() < share);
  const delimiter = one(/[;,]/.exec(header)![0], '\t', '|');
  const hasThousands = !isLines && chance() < 0.5;
  const [account, id, rows] = [
    one('00', 'AT-', '7', 'K.10.'),
    one('R-', '', '2026/', '00a1b2-'),
    one(8, 30, 120, 300),
  ];
  const [accounts, first, newline] = [one(3, 20, 150), one(0, 990, 1000 * upTo(90)), one('\n', '\r\n')];
  const [negative, before, after] = one(
    ['leading', '-', ''],
    ['trailing', '', '-'],
    ['parentheses', '(', ')'],
  );
  const western = /[ぁ-んęó]/u.test(texts + header) ? 'utf-8' : 'windows-1252';
  const encoding = isLines ? 'utf-8' : one('utf-8', 'utf-8', '\uFEFF', 'utf-16le', western);
  const dayText = (month: number, day: number): string => {
    const numbers = { yyyy: '2026', MM: two(month), M: String(month), dd: two(day), d: String(day) };
    return date.replaceAll(/[yMd]+/g, (run) => numbers[run as keyof typeof numbers]);
  };
  const money = (cents: number): string => {
    const [, whole = '', rest] = /^(\d*)(..)$/.exec(String(Math.abs(cents)))!;
    const grouped = hasThousands ? whole.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, thousands!) : whole;
    return cents < 0 ? `${before}${grouped}${decimal}${rest}${after}` : `${grouped}${decimal}${rest}`;
  };
  const balances = new Map<string, number>();
  const objects = Array.from({ length: rows }, (_, at): Record<string, string> => {
    const [month, day] = [1 + Math.floor((at * 10) / rows), 1 + upTo(28)];
    const [text, number] = [one(...texts.split('~')), `${account}${10_000 + upTo(accounts) * 7}`];
    const [net, sign] = [Math.floor(500 + chance() ** 3 * 250_000), chance() < 0.1 ? -1 : 1];
    const cents = sign * (net + Math.round(net * 0.2));
    balances.set(number, (balances.get(number) ?? 0) + cents);
    if (resource === 'notes')
      return {
        [K]: number,
        [D]: `${dayText(month, day)} ${two(8 + upTo(10))}:${two(upTo(60))}`,
        [T]: `${text} (${at})`,
      };
    if (resource === 'statements') {
      const [of, last] = [(at % 6) + 1, [31, 28, 31, 30, 31, 30][at % 6]!];
      return {
        [K]: `${account}${10_000 + Math.floor(at / 6)}`,
        [B]: `${id}${first + at}`,
        From: dayText(of, 1),
        To: dayText(of, last),
        [A]: money(Math.abs(cents)),
      };
    }
    const sides = hasSides
      ? { [S]: sign > 0 ? money(cents) : '', [H]: sign < 0 ? money(-cents) : '' }
      : { [A]: money(cents) };
    const amounts = [sign * net, cents - sign * net, balances.get(number)!].map(money);
    const taxes = hasTax ? Object.fromEntries(taxed.map((name, column) => [name, amounts[column]!])) : {};
    return {
      [K]: number,
      [B]: `${id}${first + at}`,
      [D]: dayText(month, day),
      ...sides,
      [T]: chance() < 0.7 ? text : '',
      ...taxes,
    };
  });
  const quoted = (cell: string): string =>
    quotesAll || cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  const table = [Object.keys(objects[0]!), ...objects.map((row) => Object.values(row))];
  const lines = isLines
    ? objects.map((row) => JSON.stringify(row))
    : table.map((row) => row.map(quoted).join(delimiter));
  const text = lines.join(newline) + newline;
  const content =
    encoding === 'windows-1252'
      ? Buffer.from(Array.from(text, (each) => WESTERN.indexOf(each)))
      : encoding === 'utf-16le'
        ? Buffer.from(`\uFEFF${text}`, 'utf16le')
        : (encoding === '\uFEFF' ? encoding : '') + text;
  const both = `debit: ${S}, credit: ${H}`;
  const debit = `when: { column: ${S}, is: present }`;
  const fields = {
    notes: `created_at: { column: ${D}, format: ${date} HH:mm, time_zone: Europe/Berlin }, body: ${T}`,
    statements: `statement_id: ${B}, bill_period_from_date: From, bill_period_to_date: To, gross_amount: { column: ${A}, unit: major }`,
    transactions: `transaction_id: ${B}, transaction_date: ${D}, note: ${T}, ${hasSides ? `type: [{ constant: CHARGE, ${debit} }, { constant: CREDIT }], amount: [{ ${both}, ${debit} }, { ${both}, negate: true }]` : `type: { constant: CHARGE }, amount: ${A}`}`,
  }[resource];
  const map = `version: 1
resource: ${resource}
source:
  ${isLines ? 'type: jsonl' : `delimiter: ${JSON.stringify(delimiter)}`}
  encoding: ${encoding === '\uFEFF' ? 'utf-8' : encoding}
  decimal_mark: '${decimal}'
  ${hasThousands ? `thousands_mark: ${thousands === ' ' ? 'space' : `'${thousands}'`}` : ''}
  negative: [${negative}]
  date_format: ${date}
fields: { external_account_number: ${K}, ${fields} }
`;
  return { resource, content, map, file: isLines ? 'x.jsonl' : 'x.csv' };
}

/** The first column that a field comes from. */
const columnOf = (entry: unknown): unknown => {
  const { column, debit } = (typeof entry === 'string' ? { column: entry } : [entry].flat()[0]) as Record<
    string,
    unknown
  >;
  return column ?? debit;
};

/** All 200 with `ORDINARY=all`. */
const COUNT = process.env['ORDINARY'] === 'all' ? 200 : 20;

test(`${COUNT} ordinary files of many lands are neither refused nor warned of, and drafts decide nothing else`, async () => {
  for (let seed = 1; seed <= COUNT; seed++) {
    const { resource, content, map, file } = ordinary(seed);
    const cwd = folderWith({ [file]: content, [`${file}.map.yaml`]: map, [`draft/${file}`]: content });
    const world = { cwd, nowMs: Date.UTC(2026, 11, 21) };
    const { exitCode, json } = await runCli(
      ['check', resource, file, '--supplier', 'ACME', '--json'],
      fakeIo(world),
    );
    expect({ seed, exitCode, problems: json()['problems'] }).toEqual({ seed, exitCode: 0, problems: [] });
    await runCli(['init', `draft/${file}`, '--resource', resource], fakeIo(world));
    const draft = readFileSync(join(cwd, `draft/${file}.map.yaml`), 'utf8');
    const [decided, known] = [draft, map].map(
      (each) => parse(each) as Readonly<Record<'source' | 'fields', Readonly<Record<string, unknown>>>>,
    );
    for (const [field, entry] of Object.entries(decided!.fields))
      if (entry !== null && field in known!.fields)
        expect([seed, field, columnOf(entry)]).toEqual([seed, field, columnOf(known!.fields[field])]);
    for (const [key, entry] of Object.entries(decided!.source))
      if (entry !== null && key in known!.source)
        expect([seed, key, entry]).toEqual([seed, key, known!.source[key]]);
  }
});
