import { describe, expect, test } from 'vitest';
import { failure, warning } from '../../src/core/problem.ts';
import { decodeError, encodeValidationError } from '../../src/core/validation-error.ts';

describe('the 400 body of the interface', () => {
  test('has a summary and one object with three keys for each problem', () => {
    const body = encodeValidationError([
      failure('invalid_choice', ['transactions', 3, 'type'], { known: 'CHARGE, CREDIT' }),
      failure('max_length', ['external_account_number'], { limit: '128 characters' }),
    ]);
    expect(body).toEqual({
      detail: 'the request failed validation',
      code: 'validation_error',
      errors: [
        { detail: 'is not one of the allowed values', code: 'invalid_choice', attr: 'transactions.3.type' },
        { detail: 'is longer than 128 characters', code: 'max_length', attr: 'external_account_number' },
      ],
    });
  });

  test('leaves warnings out, because they do not reject a request', () => {
    const { errors } = encodeValidationError([
      warning('leading_zeros', ['amount']),
      failure('required', ['amount']),
    ]);
    expect(errors.map(({ code }) => code)).toEqual(['required']);
  });

  test.each([
    ['note_body_or_document_path_not_found', ['notes', 0, 'body'], 'notes.0.non_field_errors'],
    [
      'incorrect_line_item_net_amount',
      ['transactions', 1, 'line_items', 2, 'net_amount'],
      'transactions.1.line_items.2.non_field_errors',
    ],
    ['mutually_exclusive_field_required', ['reference'], 'non_field_errors'],
  ] as const)('names the object that a rule between fields is about: %s', (code, path, attr) => {
    const body = encodeValidationError([failure(code, path)]);
    expect(body.errors).toMatchObject([{ code, attr }]);
    expect(decodeError(body).problems).toMatchObject([{ code, path: path.slice(0, -1) }]);
  });
});

describe('an error body is parsed in the shape', () => {
  test('documented: a list of errors', () => {
    const body = {
      detail: 'Validation failed.',
      code: 'account_failed_validation',
      errors: [
        { detail: 'Not valid.', code: 'invalid_phone_number', attr: 'transactions.3.type' },
        { detail: 'Wrong.', code: 'invalid', attr: 'notes.0.non_field_errors' },
        { detail: 'All wrong.', code: 'error', attr: 'non_field_errors' },
        { detail: 'No place.', code: 'parse_error', attr: null },
      ],
    };
    expect(decodeError(body)).toEqual({
      shape: 'documented',
      problems: [
        { code: 'invalid_phone_number', path: ['transactions', 3, 'type'], detail: 'Not valid.' },
        { code: 'invalid', path: ['notes', 0], detail: 'Wrong.' },
        { code: 'error', path: [], detail: 'All wrong.' },
        { code: 'parse_error', path: [], detail: 'No place.' },
      ],
    });
  });

  test.each([
    [
      'non_field_errors: {detail, code}',
      { non_field_errors: { detail: 'No.', code: 'closed' } },
      'non_field',
      [],
    ],
    [
      'non_field_errors: [{detail, code}]',
      { non_field_errors: [{ detail: 'No.', code: 'closed' }] },
      'non_field',
      [],
    ],
    [
      'non_field_errors: {detail, code, …} inside a record',
      { notes: { 2: { non_field_errors: { detail: 'No.', code: 'closed', domain: 'notes' } } } },
      'nested',
      ['notes', 2],
    ],
    ['{code, detail, domain}', { code: 'closed', detail: 'No.', domain: 'imports' }, 'detail', []],
  ])('%s: one problem with a code', (_, body, shape, path) => {
    expect(decodeError(body)).toEqual({ shape, problems: [{ code: 'closed', path, detail: 'No.' }] });
  });

  test('non_field_errors: {detail, code} beside errors of fields', () => {
    const body = { non_field_errors: { detail: 'No.', code: 'closed' }, vendor: ['Not known.'] };
    expect(decodeError(body)).toEqual({
      shape: 'nested',
      problems: [
        { code: 'closed', path: [], detail: 'No.' },
        { code: null, path: ['vendor'], detail: 'Not known.' },
      ],
    });
  });

  test('non_field_errors: words about the request as a whole', () => {
    expect(decodeError({ non_field_errors: ['Both numbers disagree.', 'And more.'] })).toEqual({
      shape: 'non_field',
      problems: [
        { code: null, path: [], detail: 'Both numbers disagree.' },
        { code: null, path: [], detail: 'And more.' },
      ],
    });
  });

  test.each([
    [
      'lists keyed by index',
      { transactions: { 0: { reason: ['Not a valid string.'] } } },
      ['transactions', 0, 'reason'],
    ],
    [
      'lists as lists',
      { transactions: [{}, { reason: ['Not a valid string.'] }] },
      ['transactions', 1, 'reason'],
    ],
    ['a field of the request', { import_supplier: ['Not a valid string.'] }, ['import_supplier']],
    [
      'a deep field',
      { transactions: { 2: { line_items: { 1: { net_amount: ['Not a valid string.'] } } } } },
      ['transactions', 2, 'line_items', 1, 'net_amount'],
    ],
    ['an object as a whole', { notes: { 4: { non_field_errors: ['Not a valid string.'] } } }, ['notes', 4]],
    ['words without a list', { reference: 'Not a valid string.' }, ['reference']],
  ])('nested, mirroring the request: %s', (_, body, path) => {
    expect(decodeError(body)).toEqual({
      shape: 'nested',
      problems: [{ code: null, path, detail: 'Not a valid string.' }],
    });
  });

  test('of a transaction: the first transaction that failed', () => {
    const body = {
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: 'Not within the open statement period.',
      transaction_data: { transaction_id: 'T-7', amount: '5.00' },
    };
    expect(decodeError(body)).toEqual({
      shape: 'transaction',
      problems: [
        {
          code: 'transaction_import_error',
          path: [],
          detail: 'Not within the open statement period.',
          transactionId: 'T-7',
        },
      ],
    });
  });

  test('of a payment instruction', () => {
    const body = {
      error_detail: 'The account already has an active instruction.',
      external_account_number: '1',
      import_supplier: 'ACME',
      reference: 'pi_1',
    };
    expect(decodeError(body)).toEqual({
      shape: 'payment_instruction',
      problems: [
        { code: null, path: [], detail: 'The account already has an active instruction.', reference: 'pi_1' },
      ],
    });
  });

  test.each([
    [
      'a code of ours at its end',
      'It has one (payment_instruction_already_active)',
      'payment_instruction_already_active',
    ],
    ['a word that is no code', 'It has one (active)', null],
    ['a code in the middle', 'It (payment_instruction_already_active) has one', null],
  ])('of a payment instruction whose words have %s', (_, error_detail, code) => {
    expect(decodeError({ error_detail }).problems).toEqual([{ code, path: [], detail: error_detail }]);
  });

  test.each([
    ['with a code', { detail: 'Not found.', code: 'not_found' }, 'not_found'],
    ['without one', { detail: 'Not found.' }, null],
  ])('of every status but 400, %s', (_, body, code) => {
    expect(decodeError(body)).toEqual({
      shape: 'detail',
      problems: [{ code, path: [], detail: 'Not found.' }],
    });
  });

  test.each([
    ['nothing', undefined, 'unknown'],
    ['null', null, 'unknown'],
    ['a text', 'Bad Gateway', 'unknown'],
    ['a number', 5, 'unknown'],
    ['a list', ['x'], 'unknown'],
    ['an empty object', {}, 'unknown'],
    ['numbers and nulls', { a: 1, b: null, c: true }, 'unknown'],
    ['an empty list of errors beside nothing', { errors: [] }, 'documented'],
    ['errors that are no objects', { errors: ['x', null, 5] }, 'documented'],
  ])('unknown or empty, and names no problem: %s', (_, body, shape) => {
    expect(decodeError(body)).toEqual({ shape, problems: [] });
  });

  test.each([
    [32, 1],
    [33, 0],
  ])('nested %i levels deep, with %i problems', (depth, count) => {
    const body = JSON.parse(`${'{"a":'.repeat(depth)}"words"${'}'.repeat(depth)}`) as unknown;
    expect(decodeError(body).problems).toHaveLength(count);
  });

  test('nested thousands of levels deep does not crash', () => {
    const depth = 100_000;
    const body = JSON.parse(`${'{"a":'.repeat(depth)}"words"${'}'.repeat(depth)}`) as unknown;
    expect(decodeError(body).problems).toEqual([]);
    const lists = JSON.parse(`{"a":${'['.repeat(depth)}"words"${']'.repeat(depth)}}`) as unknown;
    expect(decodeError(lists).problems).toEqual([]);
  });

  test('a key that names a prototype is a field like any other', () => {
    const body = JSON.parse('{"__proto__": ["No such field."]}') as unknown;
    expect(decodeError(body).problems).toEqual([
      { code: null, path: ['__proto__'], detail: 'No such field.' },
    ]);
  });
});
