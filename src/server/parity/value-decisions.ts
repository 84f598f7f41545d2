import type { Decision } from './decision.ts';
import { BOUNDS, SILENT } from './sources.ts';

/** What the values of a record may be. */
export const VALUE_DECISIONS: readonly Decision[] = [
  {
    name: 'dates-and-times',
    authority: 'documented',
    source: 'interface.md 2.1',
    says: 'Dates are YYYY-MM-DD and exist; datetimes are YYYY-MM-DDTHH:MM:SSZ, in UTC.',
    tested: 'server/routes/transaction-faults › 4.3: a transaction with $fault is a TRANSACTION_IMPORT_ERROR',
    codes: ['invalid'],
    built: 'core/contract/field.ts',
  },
  {
    name: 'other-offsets',
    authority: 'chosen',
    source: 'bad-inputs.md C124, C125; docs/serve.md',
    says: 'A datetime with another offset than Z, or with parts of a second, is taken as the instant that it names and answered in UTC, with all its digits. A stricter platform refuses it; the client sends UTC.',
    tested:
      'server/routes/notes › silent: a time with another offset, or with a part of a second, is taken and answered in UTC',
    built: 'core/contract/field.ts',
  },
  {
    name: 'times-name-their-offset',
    authority: 'documented',
    source: 'interface.md 2.1, datetimes are UTC; deployments.md, "Shapes and bounds", says otherwise',
    says: 'A datetime without an offset is refused. Deployments take it in their local zone, which the interface does not know, so a client that sends one means an hour that nobody can tell. The zone of the platform decides only which day it is.',
    tested: 'core/rules/record-fields › %s is no time of a note',
    codes: ['invalid'],
    built: 'core/contract/field.ts',
  },
  {
    name: 'required-fields',
    authority: 'observed',
    source: 'deployments.md, "Requests"',
    says: 'Which fields a record needs depends on its resource and, for transactions, on its type.',
    tested: 'core/rules/record-fields › every resource and every type of transaction has its table',
    codes: ['required', 'null', 'empty'],
    built: 'core/contract/transaction.ts',
  },
  {
    name: 'bounds-of-fields',
    authority: 'observed',
    source: BOUNDS,
    says: 'Numbers come as numbers or as decimal strings and have a bound of digits before and after the point; a PAYMENT and a REPAYMENT are positive, a CHARGE and a CREDIT may be negative. Texts are not blank and hold no null character, references have 512 characters at most.',
    tested:
      'core/rules/record-fields › a reference of an instruction has 512 characters at most, not units of UTF-16',
    codes: [
      'blank',
      'max_length',
      'null_characters_not_allowed',
      'max_whole_digits',
      'max_decimal_places',
      'min_value',
      'invalid_choice',
      'not_a_list',
    ],
    built: 'core/contract/field.ts',
  },
  {
    name: 'numbers-that-a-float-keeps',
    authority: 'chosen',
    source: 'bad-inputs.md J22; docs/serve.md',
    says: 'A number with more digits than a float keeps, or with an exponent, is refused at its field: other readers of the same JSON would make another amount of it. As text it is taken.',
    tested: 'server/bad-inputs/json › an amount that is %s is a 400',
    codes: ['invalid'],
    built: 'core/contract/field.ts',
  },
  {
    name: 'two-decimals',
    authority: 'chosen',
    source: SILENT,
    says: 'An amount with more than two decimals is refused, because the interface returns two.',
    tested: 'server/routes/transaction-faults › 4.3: a transaction with $fault is a TRANSACTION_IMPORT_ERROR',
    codes: ['max_decimal_places'],
    built: 'core/contract/transaction.ts',
  },
  {
    name: 'amounts-as-text',
    authority: 'documented',
    source: 'interface.md 2.4',
    says: 'An amount is sent as a number and returned as text with two decimals.',
    tested: 'server/routes/transactions › 2.4: the amount $sent is returned as the text $returned',
    built: 'server/platform/transactions.ts',
  },
  {
    name: 'minor-units',
    authority: 'observed',
    source: BOUNDS,
    says: 'The gross_amount of a statement is a whole number of minor units.',
    tested:
      'server/routes/statements › 2.5: the gross amount stays a whole number of minor units, and is text in the ledger',
    built: 'core/contract/field.ts',
  },
  {
    name: 'today',
    authority: 'observed',
    source: BOUNDS,
    says: '"Today" is the date in the zone of the platform (the setting timeZone).',
    tested: 'server/routes/transactions › silent: "today" is that of the platform\'s zone',
    built: 'server/platform/platform.ts',
  },
];
