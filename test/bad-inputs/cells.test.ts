import { describe, test } from 'vitest';
import {
  expectAnswer,
  expectAnswers,
  instructions,
  notes,
  statements,
  transactions,
  type BadInput,
  mappedTransactions,
} from '../support/bad-input.ts';

const mappedNotes = (source: string): string => `version: 1
resource: notes
source: {${source}}
fields:
  import_supplier: import_supplier
  external_account_number: external_account_number
  body: body
  created_at: created_at
`;

const AMOUNT = 6;
const DATE = 4;

/** Cells that are refused, with their code. All are rows of one file. */
type Refused = readonly (readonly [says: string, cell: string, code: string])[];
const refused = (says: string, cell: string, code = 'invalid') => [says, cell, code] as const;

const REFUSED_AMOUNTS: Refused = [
  refused('[C083] a decimal comma is refused', '1.234,56'),
  refused('[C084] a thousands comma is refused', '1,234.56'),
  refused('[C085] parentheses are refused', '(12.00)'),
  refused('[C086] an exponent is refused', '1e5'),
  refused('[C086] a negative exponent is refused', '1E-3'),
  refused('[C088] seventeen digits are refused', '12345678901234567.89', 'max_whole_digits'),
  refused('[C089] eleven digits before the point are refused', '99999999999.99', 'max_whole_digits'),
  refused('[C091] more decimals than a currency has are refused', '12.345', 'max_decimal_places'),
  refused('[C092] a point without digits after it is refused', '12.'),
  refused('[C092] a point without digits before it is refused', '.5'),
  refused('[C093] a plus is refused', '+5'),
  refused('[C094] a currency sign is refused', '£5.00'),
  refused('[C094] a currency code is refused', '5.00 EUR'),
  refused('[C095] a trailing minus is refused', '5-'),
  refused('[C095] a CR suffix is refused', '5CR'),
  refused('[C095] a DR suffix is refused', '5 DR'),
  refused('[C096] the minus sign U+2212 is refused', '\u22125.00'),
  refused('[C096] full-width digits are refused', '\uff15\uff10'),
  refused('[C096] Arabic digits are refused', '\u0665\u0660'),
  refused('[C097] a no-break space between digits is refused', '5\u00a0000'),
  refused('[C097] a narrow no-break space between digits is refused', '5\u202f000'),
  refused('[C097] an apostrophe between digits is refused', `5'000`),
  refused('[C098] an empty amount is refused', '', 'required'),
  refused('[C099] NaN is refused', 'NaN'),
  refused('[C099] inf is refused', 'inf'),
  refused('[C099] null is refused', 'null'),
  refused('[C099] TRUE is refused', 'TRUE'),
  refused('[C100] a hexadecimal number is refused', '0x10'),
  refused('[C100] a number with underscores is refused', '1_000'),
  refused('[C100] an octal number is refused', '0o7'),
  refused('[C101] spaces around a number are refused', ' 5 '),
];

const AMOUNTS: readonly BadInput[] = [
  {
    says: '[C083] a decimal comma is read when the mapping declares it',
    file: transactions({ amount: '1.234,56' }),
    map: mappedTransactions(`decimal_mark: ',', thousands_mark: '.'`),
    errors: [],
    landed: 1,
  },
  {
    says: '[C084] a thousands comma is read when the mapping declares it',
    file: transactions({ amount: '1,234.56' }),
    map: mappedTransactions(`thousands_mark: ','`),
    errors: [],
    landed: 1,
  },
  {
    says: '[C084] a thousands comma between groups that are not of three is refused',
    file: transactions({ amount: '12,34.56' }),
    map: mappedTransactions(`thousands_mark: ','`),
    errors: [['number_unreadable', 2, AMOUNT]],
  },
  {
    says: '[C085] parentheses are read when the mapping declares them',
    file: transactions({ amount: '(12.00)' }),
    map: mappedTransactions('negative: [parentheses]'),
    errors: [],
    landed: 1,
  },
  {
    says: '[C087] a zero with a minus is sent as zero, with a warning',
    file: transactions({ amount: '-0.00' }),
    errors: [],
    warnings: ['negative_zero'],
    landed: 1,
  },
  {
    says: '[C095] a trailing minus and suffixes are read when the mapping declares them',
    file: transactions({ amount: '5-' }, { amount: '5CR' }, { amount: '5 DR' }),
    map: mappedTransactions('negative: [trailing], negative_suffixes: [CR], positive_suffixes: [DR]'),
    errors: [],
    landed: 3,
  },
  {
    says: '[C102] leading zeros are not sent, with a warning',
    file: transactions({ amount: '00005.00' }),
    errors: [],
    warnings: ['leading_zeros'],
    landed: 1,
  },
  {
    says: '[C104] a negative payment and a negative repayment are refused',
    file: transactions({ type: 'PAYMENT', amount: '-1.00' }, { type: 'REPAYMENT', amount: '-1.00' }),
    errors: [
      ['min_value', 2, AMOUNT],
      ['min_value', 3, AMOUNT],
    ],
  },
  {
    says: '[C106] a gross amount in major units is refused',
    resource: 'statements',
    file: statements({ gross_amount: '10.50' }),
    errors: [['invalid', 2, 6]],
  },
  {
    says: '[C106] a gross amount in major units is read when the mapping declares it',
    resource: 'statements',
    file: statements({ gross_amount: '10.50' }),
    map: `version: 1
resource: statements
fields:
  import_supplier: import_supplier
  external_account_number: external_account_number
  statement_id: statement_id
  bill_period_from_date: bill_period_from_date
  bill_period_to_date: bill_period_to_date
  gross_amount: {column: gross_amount, unit: major}
`,
    errors: [],
    landed: 1,
  },
  {
    says: '[C108] a gross amount beyond the precision of floats is exact',
    resource: 'statements',
    file: statements({ gross_amount: '9007199254740993' }),
    errors: [['max_whole_digits', 2, 6]],
  },
];

const REFUSED_DATES: Refused = [
  ...['2023-02-29', '1900-02-29', '2100-02-29', '2024-04-31', '29/02/2023'].map((date) =>
    refused(`[C109] ${date} is no day`, date),
  ),
  refused('[C111] 01/02/2024 is refused, because nobody says which is the day', '01/02/2024'),
  refused('[C113] a year of two digits is refused', '24-02-01'),
  refused('[C114] a serial number of a spreadsheet is refused', '45291'),
  refused('[C114] milliseconds since 1970 are refused', '1704067200000'),
  refused('[C120] a day after today is refused', '2026-11-22', 'transaction_in_future'),
  refused('[C121] the year 1 is refused', '0001-01-01', 'date_implausible'),
  refused('[C121] a year of five digits is refused', '99999-01-01'),
  refused('[C121] the year 9999 is refused', '9999-12-31', 'transaction_in_future'),
  refused('[C122] a month in words is refused', '1 Feb 2024'),
];

const DATES: readonly BadInput[] = [
  {
    says: '[C110] leap days are read',
    file: transactions({ transaction_date: '2024-02-29' }, { transaction_date: '2000-02-29' }),
    errors: [],
    landed: 2,
  },
  {
    says: '[C111] 01/02/2024 is read when the mapping says where the day is',
    file: transactions({ transaction_date: '01/02/2024' }),
    map: mappedTransactions('date_format: dd/MM/yyyy'),
    errors: [],
    landed: 1,
  },
  {
    says: '[C112] 13/25/2024 is refused as dd/MM/yyyy',
    file: transactions({ transaction_date: '13/25/2024' }),
    map: mappedTransactions('date_format: dd/MM/yyyy'),
    errors: [['date_nonexistent', 2, DATE]],
  },
  {
    says: '[C113] a year of two digits needs a century in the mapping',
    file: transactions({ transaction_date: '01.02.24' }),
    map: mappedTransactions('date_format: dd.MM.yy'),
    errors: [['mapping_invalid', 8, 21]],
    exit: 2,
  },
  ...(
    [
      ['[C115] a time that the clock change leaves out', '2024-03-31T01:30:00', 'time_skipped'],
      ['[C116] a time that the clock change repeats', '2024-10-27T01:30:00', 'time_repeated'],
    ] as const
  ).map(([says, created_at, code]): BadInput => ({
    says: `${says} is refused`,
    resource: 'notes',
    file: notes({ created_at }),
    map: mappedNotes(`datetime_format: "yyyy-MM-dd'T'HH:mm:ss", time_zone: Europe/London`),
    errors: [[code, 2, 4]],
  })),
  {
    says: '[C116] a time that the clock change repeats is read when the mapping says which of the two it is',
    resource: 'notes',
    file: notes({ created_at: '2024-10-27T01:30:00' }),
    map: mappedNotes(`datetime_format: "yyyy-MM-dd'T'HH:mm:ss", time_zone: Europe/London, fold: later`),
    errors: [],
    landed: 1,
  },
  ...(
    [
      ['[C117] a date-time without a zone', '2026-01-05T10:00:00'],
      ['[C118] the hour 24', '2026-01-05T24:00:00Z'],
      ['[C119] the second 60', '2026-01-05T23:59:60Z'],
    ] as const
  ).map(([says, created_at]): BadInput => ({
    says: `${says} is refused`,
    resource: 'notes',
    file: notes({ created_at }),
    errors: [['invalid', 2, 4]],
  })),
  {
    says: '[C123] a bill period that ends before it begins is refused',
    resource: 'statements',
    file: statements({ bill_period_from_date: '2025-02-01' }),
    errors: [['bill_period_from_later_than_to', 2, 4]],
  },
  {
    says: '[C123] a statement that was issued before its period began is a warning',
    resource: 'statements',
    file: statements({ issued_date: '2024-12-01' }),
    errors: [],
    warnings: ['issued_before_bill_period'],
    landed: 1,
  },
  {
    says: '[C123] a statement that was issued years after its period is a warning',
    resource: 'statements',
    file: statements({
      bill_period_from_date: '2015-01-01',
      bill_period_to_date: '2015-01-31',
      issued_date: '2025-02-03',
    }),
    errors: [],
    warnings: ['dates_far_apart'],
    landed: 1,
  },
];

const RECORDS: readonly BadInput[] = [
  {
    says: '[C127] a note without body and documents is refused',
    resource: 'notes',
    file: notes({ body: '' }),
    errors: [['note_body_or_document_path_not_found', 2, 3]],
  },
  {
    says: '[C135] two payment instructions of one account are refused, both of them',
    resource: 'payment-instructions',
    file: instructions({}, { reference: 'pi_2' }),
    errors: [
      ['duplicate_payment_instructions', 2, 2],
      ['duplicate_payment_instructions', 3, 2],
    ],
  },
  {
    says: '[C136] a statement_id that occurs twice for an account is refused, both of them',
    resource: 'statements',
    file: statements({ statement_id: 'S-1' }, { statement_id: 'S-1', number: '2' }),
    errors: [
      ['duplicate_statement_ids', 2, 3],
      ['duplicate_statement_ids', 3, 3],
    ],
  },
  {
    says: '[C137] a reference of 513 characters is refused',
    resource: 'payment-instructions',
    file: instructions({ reference: 'p'.repeat(513) }),
    errors: [['max_length', 2, 4]],
  },
  {
    says: '[C134] a document path out of the root of the supplier is refused',
    resource: 'notes',
    file: notes(
      { 'document_paths.0.document_path': '../letters/1.pdf' },
      { 'document_paths.0.document_path': '\\\\host\\share' },
      { 'document_paths.0.document_path': 'https://platform.example/1.pdf' },
    ),
    errors: [
      ['document_path_leaves_root', 2, 5],
      ['document_path_not_relative', 3, 5],
      ['document_path_not_relative', 4, 5],
    ],
  },
  {
    says: '[C134] a document path with a backslash inside is sent as it is',
    resource: 'notes',
    file: notes({ 'document_paths.0.document_path': 'letters\\1.pdf' }),
    errors: [],
    landed: 1,
  },
  {
    says: '[C133] identical notes are a warning before anything is sent',
    resource: 'notes',
    file: notes({ body: 'Moved out' }, { body: 'Moved out' }, { body: 'Moved out' }),
    errors: [],
    warnings: ['identical_notes'],
    landed: 1,
  },
];

describe('amounts', () => {
  test('that cannot be read are refused, each at its cell', () =>
    expectAnswer({
      says: 'amounts',
      file: transactions(...REFUSED_AMOUNTS.map(([, amount]) => ({ amount }))),
      errors: REFUSED_AMOUNTS.map(([, , code], index) => [code, index + 2, AMOUNT]),
    }));

  test('that a mapping, a warning or another resource concerns', () => expectAnswers(AMOUNTS));
});

describe('dates and times', () => {
  test('that cannot be read are refused, each at its cell', () =>
    expectAnswer({
      says: 'dates',
      file: transactions(...REFUSED_DATES.map(([, transaction_date]) => ({ transaction_date }))),
      errors: REFUSED_DATES.map(([, , code], index) => [code, index + 2, DATE]),
    }));

  test('that a mapping, a warning or another resource concerns', () => expectAnswers(DATES));
});

test('records that break a rule, alone or together', () => expectAnswers(RECORDS));
