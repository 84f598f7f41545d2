import { textOf, type Role, type Table } from './tables.ts';

/** Changes a table, or leaves it as it is where the damage cannot happen. */
type Damage = (table: Table) => void;

type Row = string[];

const rowsOf = ({ lines }: Table): readonly Row[] => lines.filter((line) => typeof line !== 'string');

const all = (): boolean => true;
const some = (at: number): boolean => at % 7 === 3;
const one = (at: number, of: number): boolean => at === Math.floor(of / 2);

/** Changes the cells of a role, in all rows or in some of them. */
const cells =
  (
    role: Role,
    change: (text: string, at: number) => string,
    isHit: (at: number, of: number) => boolean = all,
  ): Damage =>
  (table) => {
    const place = table.at(role);
    const filled = rowsOf(table).filter((row) => place >= 0 && row[place] !== '');
    for (const [at, row] of filled.entries())
      if (isHit(at, filled.length)) row[place] = change(row[place]!, at);
  };

/** Takes the cells of two roles, or of a role in two rows, for each other. */
const paired =
  (
    from: Role,
    to: Role,
    change: (row: Row, places: readonly [number, number], before: Row | undefined, at: number) => void,
  ): Damage =>
  (table) => {
    const places = [table.at(from), table.at(to)] as const;
    const before = rowsOf(table).map((row) => [...row]);
    if (!places.includes(-1))
      for (const [at, row] of rowsOf(table).entries()) change(row, places, before[at - 1], at);
  };

const exchanged = (one: Role, other: Role): Damage =>
  paired(
    one,
    other,
    (row, [a, b]) => void ([row[a], row[b]] = row[a] && row[b] ? [row[b], row[a]] : [row[a]!, row[b]!]),
  );

/** Leaves rows out, or has them twice. */
const times =
  (count: (row: Row, at: number, rows: readonly Row[], typeAt: number) => number): Damage =>
  (table) => {
    const rows = rowsOf(table);
    const counts = new Map(rows.map((row, at) => [row, count(row, at, rows, table.at('type'))]));
    table.lines = table.lines.flatMap((line): (Row | string)[] =>
      typeof line === 'string' ? [line] : Array.from({ length: counts.get(line)! }, () => line),
    );
  };

const int = (text: string): number => Number.parseInt(text, 10);
const two = (number: number): string => String(number).padStart(2, '0');
const digits = (text: string): string => text.replaceAll(/\D/g, '');
const unsigned = (text: string): string => text.replaceAll(/[-()△]|CR/g, '');

const swapped = (text: string): string =>
  text
    .replace(/^(\d\d?)([./-])(\d\d?)(?=\2\d{4})/, (found, a: string, mark: string, b: string) =>
      Math.max(int(a), int(b)) > 12 ? found : b + mark + a,
    )
    .replace(
      /^(\d{4}[./-]?)(\d\d)([./-]?)(\d\d)(?!\d)/,
      (found, year: string, a: string, mark: string, b: string) =>
        Math.max(int(a), int(b)) > 12 ? found : year + b + mark + a,
    );

const hours = (change: (hour: number) => number): Damage =>
  cells('date', (text) => text.replace(/(?<=\D)\d\d(?=:\d\d)/, (hour) => two(change(int(hour)))));

/** A number a hundred times as large, however it is written. */
const hundredfold = (text: string): string => {
  const mark = /[.,](?=\d{2}(?!\d))/.exec(text);
  return mark ? text.slice(0, mark.index) + text.slice(mark.index + 1) : text.replace(/\d+(?=\D*$)/, '$&00');
};

const GREEK: Readonly<Record<string, string>> = { A: 'Α', B: 'Β', E: 'Ε', T: 'Τ', '-': '\u2011' };
const WORDS = 'remark about the meter and the bill, and about a letter of the customer';

/** Kinds of damage that were seen in files of suppliers. */
export const DAMAGES: Readonly<Record<string, Damage>> = {
  'day and month exchanged, all rows': cells('date', swapped),
  'day and month exchanged, some rows': cells('date', swapped, (at, of) => at >= of / 3 && at < of / 2),
  'a time one hour later': hours((hour) => (hour + 1) % 24),
  'AM and PM lost': hours((hour) => ((hour + 11) % 12) + 1),
  'dates in 1970': cells('date', (text) => text.replace(/20\d\d/, '1970').replace(/^46(?=\d{3}$)/, '25')),
  'periods end a day later': cells('other', (text) =>
    text
      .replace(/^(3[01]|28)(.)(\d\d)/, (_, __, mark, month) => `01${mark}${two((int(month) % 12) + 1)}`)
      .replace(/(\d\d)([-/])(3[01]|28)$/, (_, month, mark) => `${two((int(month) % 12) + 1)}${mark}01`),
  ),
  'signs lost, all rows': cells('amount', unsigned),
  'signs lost, some rows': cells('amount', unsigned, some),
  'amounts shifted by a row': paired(
    'amount',
    'amount',
    (row, [at], before) => void (row[at] = before?.[at] ?? row[at]!),
  ),
  'amounts filled down': paired(
    'amount',
    'amount',
    (row, [at], before, line) => void (row[at] = line % 3 === 2 ? before![at]! : row[at]!),
  ),
  'a factor of 100, all rows': cells('amount', hundredfold),
  'a factor of 100, one row': cells('amount', hundredfold, one),
  'decimal and thousands marks exchanged': cells('amount', (text) =>
    text.replaceAll(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')),
  ),
  'amounts with an exponent': cells(
    'amount',
    (text) => `${text.slice(0, 1)}.${digits(text).slice(1, 3)}E+03`,
    some,
  ),
  'another currency': cells('amount', (text) => `${text} USD`, some),
  'a rate in percent': cells('other', (text) => text.replace(/^0\.0?/, '')),
  'net for gross': exchanged('amount', 'other'),
  'the end cut off': (table) => {
    table.lines = textOf(table)
      .slice(0, textOf(table).length * 0.8)
      .split('\n');
  },
  'rows dropped from the middle': times((_, at, { length }) =>
    at >= length * 0.4 && at < length * 0.5 ? 0 : 1,
  ),
  'a type left out': times((row, _, rows, at) =>
    row[at] === rows[0]![at] && rows.some((each) => each[at] !== row[at]) ? 0 : 1,
  ),
  'a doubled row': times((_, at, { length }) => (one(at, length) ? 2 : 1)),
  'doubled items of a join': ({ files, main }) => {
    for (const [file, text] of Object.entries(files))
      if (!file.startsWith(main))
        files[file] = text.replaceAll(/(?<=\n).+\n/g, (line) => (line.length % 3 === 0 ? line + line : line));
  },
  'a cell moved': (table) => void rowsOf(table)[5]?.splice(1, 0, ''),
  'account and id exchanged': exchanged('account', 'id'),
  'leading zeros lost, all rows': cells('account', (text) => text.replace(/(?<!\d)0+(?=\d)/, '')),
  'leading zeros lost, some rows': cells('account', (text) => text.replace(/(?<!\d)0+(?=\d)/, ''), some),
  'ids with an exponent': cells(
    'id',
    (text) => `${digits(text)[0] ?? 1}.${digits(text).slice(1, 6) || '2'}E+11`,
    some,
  ),
  'ids rounded to 15 digits': cells(
    'id',
    (text, at) => `${digits(`${text}${at * 7919 + 100_000_000_000_000}`).slice(0, 15)}000`,
  ),
  'ids with odd characters': cells(
    'id',
    (text) => text.replace(/[ABET-]/, (letter) => GREEK[letter]!).replace(/^\d+$/, '$&\u00A0'),
    some,
  ),
  'texts read in another encoding': cells('text', (text) =>
    new TextDecoder('windows-1252').decode(Buffer.from(text.replace(/[aeou](?=\w)/, 'ü'))),
  ),
  'letters lost to question marks': cells('text', (text) =>
    text.replace(/(?<=\p{Ll})\p{Ll}(?=\p{Ll})/u, '?'),
  ),
  'texts escaped once too often': cells('text', (text) => `${text} &amp; co`),
  'texts cut': cells('text', (text, at) => `${text} ${WORDS.slice(at % 30)} ${WORDS}`.slice(0, 60)),
};
