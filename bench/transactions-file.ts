import { once } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';
import { type Dice, diceFor } from './dice.ts';

/**
 * `nested` has line items and tax items as JSON in 30 % of its rows, `plain` has none. `renewed` has the rows of `plain`, of which
 * a thousand have new ids. `mapped` has the rows of `plain` as a German billing system writes them, with a mapping file beside it.
 */
export type FileKind = 'plain' | 'nested' | 'renewed' | 'mapped';

const SUPPLIER = 'BENCH';
/** Bytes of a row, on average. */
const ROW_BYTES = 243;
const ROWS_OF_ACCOUNT = 20;
/** Rows with a new id in a file of kind `renewed`. */
const RENEWED = 1000;
/** A prime, so that the rows of an account are scattered over the file. */
const STRIDE = 7919;
const CHUNK = 64 * 1024;

const HEADER = [
  'import_supplier',
  'external_account_number',
  'transaction_id',
  'transaction_date',
  'type',
  'amount',
  'reason',
  'payment_type',
  'display_note',
  'note',
  'reference',
  'product_code',
  'line_items',
  'tax_items',
] as const;

type Row = Partial<Record<(typeof HEADER)[number], string>>;

const GERMAN = {
  external_account_number: 'Kundennummer',
  transaction_id: 'Belegnummer',
  transaction_date: 'Buchungsdatum',
  type: 'Belegart',
  amount: 'Betrag',
  reason: 'Grund',
  payment_type: 'Zahlweg',
  display_note: 'Text',
  note: 'Bemerkung',
  reference: 'Referenz',
} as const;
/** Columns of the German file that feed no field. Together with the others they are 14. */
const GERMAN_ONLY = ['Buchungskreis', 'Währung', 'Bearbeiter', 'Beleg'] as const;
const GERMAN_TYPES: Readonly<Record<string, string>> = {
  CHARGE: 'RE',
  CREDIT: 'GS',
  PAYMENT: 'ZE',
  REPAYMENT: 'RZ',
};

const MAPPING = `version: 1
resource: transactions
source:
  delimiter: ';'
  decimal_mark: ','
  thousands_mark: '.'
fields:
  import_supplier: { constant: ${SUPPLIER} }
  external_account_number: Kundennummer
  transaction_id: Belegnummer
  transaction_date: { column: Buchungsdatum, format: dd.MM.yyyy }
  type: { column: Belegart, lookup: { RE: CHARGE, GS: CREDIT, ZE: PAYMENT, RZ: REPAYMENT } }
  amount: Betrag
  reason: Grund
  payment_type: Zahlweg
  display_note: { column: Text, trim: true }
  note: Bemerkung
  reference: Referenz
ignore: [Buchungskreis, Währung, Bearbeiter, Beleg]
`;

const WORDS = [
  'Abschlag für März',
  'balance of the old billing system',
  'paid at the counter',
  'meter read by the customer',
  'reçu envoyé',
  'Łódź office',
  'refund agreed by phone',
  '前回の請求',
  'standing order',
  'corrected by the back office',
] as const;

/** Writes a file of transactions. The same arguments are always the same bytes. `first`: the number in the id of the first row. */
export async function writeTransactions(
  path: string,
  kind: FileKind,
  rows: number,
  first: number,
): Promise<void> {
  if (kind === 'mapped') writeFileSync(`${path}.map.yaml`, MAPPING);
  const file = createWriteStream(path);
  let chunk = `${headerOf(kind)}\n`;
  for (const line of linesOf(kind, rows, first)) {
    chunk += line;
    if (chunk.length < CHUNK) continue;
    if (!file.write(chunk)) await once(file, 'drain');
    chunk = '';
  }
  file.end(chunk);
  await finished(file);
}

/** A seed for the local platform with the accounts of a file. */
export async function writeSeed(path: string, accounts: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(
    `version: 1\napi_keys: [{ key: local-key }]\nsuppliers: [{ code: ${SUPPLIER}, name: Bench, status: Ongoing }]\n`,
  );
  if (accounts > 0) file.write('accounts:\n');
  for (let account = 0; account < accounts; account++) {
    const line = `  - { import_supplier: ${SUPPLIER}, external_account_number: '${numberOf(account)}', state: imported }\n`;
    if (!file.write(line)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}

/** How many accounts the rows of a file have. */
export function accountsOf(rows: number): number {
  return Math.ceil(rows / ROWS_OF_ACCOUNT);
}

function headerOf(kind: FileKind): string {
  return kind === 'mapped' ? [...Object.values(GERMAN), ...GERMAN_ONLY].join(';') : HEADER.join(',');
}

function* linesOf(kind: FileKind, rows: number, first: number): Generator<string> {
  const dice = diceFor(`bench ${kind === 'nested' ? 'nested' : 'flat'}`);
  const accounts = accountsOf(rows);
  const line = kind === 'mapped' ? germanLine : plainLine;
  const step = Math.ceil(rows / RENEWED);
  const isNew = (row: number): boolean => kind === 'renewed' && row % step === 0;
  let missing = 0;
  for (let row = 0; row < rows; row++) {
    const record: Row = {
      import_supplier: SUPPLIER,
      external_account_number: numberOf((row * STRIDE) % accounts),
      transaction_id: `${isNew(row) ? 'NX' : 'TX'}-${String(first + row).padStart(9, '0')}`,
      transaction_date: `2025-${twoDigits(dice.int(1, 12))}-${twoDigits(dice.int(1, 28))}`,
      ...(kind === 'nested' && dice.int(1, 100) <= 30 ? supplyCharge(dice) : moneyRow(dice)),
    };
    missing += ROW_BYTES;
    const text = line(
      missing > 0 && record.line_items === undefined ? filled(record, missing, line) : record,
    );
    missing -= Buffer.byteLength(text);
    yield text;
  }
}

function moneyRow(dice: Dice): Row {
  const amount = cents(dice.int(100, 25_000_00));
  switch (dice.pick(['CHARGE', 'CREDIT', 'PAYMENT', 'PAYMENT', 'REPAYMENT'] as const)) {
    case 'CHARGE':
      return {
        type: 'CHARGE',
        amount,
        reason: 'IMPORTED_CHARGE',
        display_note: dice.pick(WORDS),
        note: note(dice),
      };
    case 'CREDIT':
      return {
        type: 'CREDIT',
        amount,
        reason: 'IMPORTED_CREDIT',
        display_note: dice.pick(WORDS),
        note: note(dice),
      };
    case 'PAYMENT':
      return {
        type: 'PAYMENT',
        amount,
        reason: 'ACCOUNT_CHARGE_PAYMENT',
        payment_type: dice.pick(['DD_REGULAR_COLLECTION', 'DIRECT_CREDIT', 'DEBIT_CARD']),
        reference: `REF ${dice.int(100_000, 999_999)}`,
        note: note(dice),
      };
    case 'REPAYMENT':
      return {
        type: 'REPAYMENT',
        amount,
        reason: 'FULL_CREDIT_REFUND',
        payment_type: 'DIRECT_CREDIT',
        note: note(dice),
      };
  }
}

/** One line item and one tax of 20 %. The amount is the sum of both. */
function supplyCharge(dice: Dice): Row {
  const units = dice.int(10, 900);
  const price = dice.int(10, 60);
  const net = units * price;
  const tax = Math.round(net / 5);
  const month = twoDigits(dice.int(1, 12));
  const item = `{"rate_band": "CONSUMPTION_STANDARD", "start_date": "2025-${month}-01", "end_date": "2025-${month}-28", "number_of_units": ${units}, "price_per_unit": ${cents(price)}, "net_amount": ${cents(net)}}`;
  const taxItem = `{"amount": ${cents(tax)}, "tax_type": "VAT", "value_taxed": ${cents(net)}, "rate": 0.2, "unit_type": "PROPORTION"}`;
  return {
    type: 'SUPPLY_CHARGE',
    amount: cents(net + tax),
    product_code: `FLEX-${dice.int(1, 40)}`,
    line_items: `[${item}]`,
    tax_items: `[${taxItem}]`,
  };
}

/** A quarter has commas or quotation marks, one in 25 a line break. */
function note(dice: Dice): string {
  const [words, kind] = [dice.pick(WORDS), dice.int(1, 100)];
  if (kind <= 4) return `${words}\nsee letter`;
  if (kind <= 8) return `"${words}", as agreed`;
  return kind <= 25 ? `${words}, see letter` : words;
}

/** Makes the note longer, so that the rows have their size on average. */
function filled(record: Row, bytes: number, line: (record: Row) => string): Row {
  const room = bytes - Buffer.byteLength(line(record)) - 1;
  return room <= 0
    ? record
    : { ...record, note: `${record.note ?? ''} ${'customer record moved '.repeat(20).slice(0, room)}` };
}

function plainLine(record: Row): string {
  return `${HEADER.map((name) => cell(record[name] ?? '', ',')).join(',')}\n`;
}

function germanLine(record: Row): string {
  const [year, month, day] = record.transaction_date!.split('-');
  const german: Row = {
    ...record,
    transaction_date: `${day}.${month}.${year}`,
    type: GERMAN_TYPES[record.type!]!,
    amount: record.amount!.replace('.', ',').replace(/(?<=\d)(?=(\d{3})+,)/g, '.'),
  };
  const cells = (Object.keys(GERMAN) as (keyof typeof GERMAN)[]).map((name) => cell(german[name] ?? '', ';'));
  return `${[...cells, '1000', 'EUR', 'SCHULZE', 'X'].join(';')}\n`;
}

function cell(text: string, delimiter: string): string {
  return text.includes(delimiter) || text.includes('"') || text.includes('\n')
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

function cents(amount: number): string {
  return `${Math.trunc(amount / 100)}.${twoDigits(amount % 100)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

function numberOf(account: number): string {
  return `00${10_000_000 + account}`;
}
