import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/core/contract/endpoints.ts';
import { ACCOUNT, problemsOf, startPlatform, statement } from '../../support/server-platform.ts';

const statements = (...items: readonly unknown[]) => ({ ...ACCOUNT, statements: items });

test('4.4: 201 with the validated data as the body', async () => {
  const platform = await startPlatform();
  const full = statement({
    issued_date: '2026-02-01',
    number: 'N-1',
    gross_amount: 5324,
    statement_path: 'bills/1.pdf',
  });
  const payload = statements(
    full,
    statement({ statement_id: 'st-2', issued_date: null, gross_amount: null }),
  );
  const answer = await platform.post('createStatements', payload);
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual(payload);
  expect(ENDPOINTS.createStatements.response.safeParse(answer.body).success).toBe(true);
});

test('2.5: the gross amount stays a whole number of minor units, and is text in the ledger', async () => {
  const platform = await startPlatform();
  const answer = await platform.post('createStatements', statements(statement({ gross_amount: 5324 })));
  expect(answer.text).toContain('"gross_amount":5324');
  expect((await platform.ledger())[0]!.data['gross_amount']).toBe('5324');
});

test('a statement that exists already makes the whole request a 400', async () => {
  const platform = await startPlatform();
  await platform.post('createStatements', statements(statement()));
  const answer = await platform.post(
    'createStatements',
    statements(statement({ statement_id: 'new' }), statement()),
  );
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([['historical_statement_already_exists', 'statements.1.statement_id']]);
  expect((await platform.ledger()).map(({ data }) => data['statement_id'])).toEqual(['st-1']);
});

test('the same statement id on another account is another statement', async () => {
  const platform = await startPlatform();
  await platform.post('createStatements', statements(statement()));
  const answer = await platform.post('createStatements', {
    ...statements(statement()),
    external_account_number: '1005',
  });
  expect(answer.status).toBe(201);
});

test('a statement id that is repeated in a request is refused', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createStatements',
    statements(statement(), statement({ number: 'other' })),
  );
  expect(problemsOf(answer)).toEqual([['duplicate_statement_ids', 'statements.1.statement_id']]);
  expect(await platform.ledger()).toEqual([]);
});

test('4.4: 400 lists every problem of every statement, and nothing is stored', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createStatements',
    statements(
      statement(),
      { statement_id: 'st-2' },
      statement({ statement_id: 'st-3', gross_amount: 53.24 }),
      statement({ statement_id: 'st-4', gross_amount: '5324' }),
      statement({ statement_id: 'st-5', bill_period_from_date: '2026-02-01' }),
    ),
  );
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([
    ['required', 'statements.1.bill_period_from_date'],
    ['required', 'statements.1.bill_period_to_date'],
    ['invalid', 'statements.2.gross_amount'],
    ['invalid', 'statements.3.gross_amount'],
    ['bill_period_from_later_than_to', 'statements.4.non_field_errors'],
  ]);
  expect(await platform.ledger()).toEqual([]);
});

test('404 when the account is not imported', async () => {
  const platform = await startPlatform();
  const answer = await platform.post('createStatements', {
    ...statements(statement()),
    external_account_number: '1002',
  });
  expect(answer.status).toBe(404);
  expect(answer.body.code).toBe('account_not_found');
});

test('the query parameters of other endpoints are refused', async () => {
  const platform = await startPlatform();
  const answer = await platform.post('createStatements', statements(statement()), {
    query: '?check_previously_added=false',
  });
  expect(problemsOf(answer)).toEqual([['unexpected_field', 'check_previously_added']]);
});
