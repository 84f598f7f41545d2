import { describe, expect, test } from 'vitest';
import { failure } from '../../src/core/problem.ts';
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
  test.each(
    Object.entries<[unknown, string, readonly unknown[]]>({
      'non_field_errors: {detail, code}': [
        { non_field_errors: { detail: 'No.', code: 'closed' } },
        'non_field',
        [],
      ],
      'non_field_errors: [{detail, code}]': [
        { non_field_errors: [{ detail: 'No.', code: 'closed' }] },
        'non_field',
        [],
      ],
      'non_field_errors: {detail, code, …} inside a record': [
        { notes: { 2: { non_field_errors: { detail: 'No.', code: 'closed', domain: 'notes' } } } },
        'nested',
        ['notes', 2],
      ],
      '{code, detail, domain}': [{ code: 'closed', detail: 'No.', domain: 'imports' }, 'detail', []],
    }),
  )('%s: one problem with a code', (_, [body, shape, path]) => {
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
});
