import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../../src/core/contract/endpoints.ts';
import { ACCOUNT, problemsOf, START, startPlatform } from '../../support/server-platform.ts';

const notes = (...items: readonly unknown[]) => ({ ...ACCOUNT, notes: items });

test('4.2: a posted note is created and answered in its order with created_at, body and status', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createNotes',
    notes({ body: 'one', created_at: '2026-01-02T03:04:05Z' }, { body: 'two' }),
  );
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual([
    { created_at: '2026-01-02T03:04:05Z', body: 'one', status: 'NOTE_CREATION_SUCCESS' },
    { created_at: START, body: 'two', status: 'NOTE_CREATION_SUCCESS' },
  ]);
  expect(ENDPOINTS.createNotes.response.safeParse(answer.body).success).toBe(true);
});

test('4.2: created_at defaults to the current time, in the ledger too', async () => {
  const platform = await startPlatform();
  platform.clock.nowMs += 90_000;
  await platform.post('createNotes', notes({ body: 'now' }));
  expect((await platform.ledger()).map(({ data }) => data)).toEqual([
    { body: 'now', created_at: '2026-03-15T12:01:30Z' },
  ]);
});

test('4.2: a note with neither body nor document paths is refused, and so is every other note of the request', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createNotes',
    notes({ body: 'fine' }, {}, { body: '' }, { document_paths: [] }),
  );
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([
    ['note_body_or_document_path_not_found', 'notes.1.non_field_errors'],
    ['note_body_or_document_path_not_found', 'notes.2.non_field_errors'],
    ['note_body_or_document_path_not_found', 'notes.3.non_field_errors'],
  ]);
  expect(await platform.ledger()).toEqual([]);
});

test('2.3: document paths alone are enough, and such a note has an empty body', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createNotes',
    notes({ document_paths: [{ document_path: 'letters/1.pdf' }] }),
  );
  expect(answer.body).toEqual([{ created_at: START, body: '', status: 'NOTE_CREATION_SUCCESS' }]);
});

test('2.3: is_pinned and unpin_at are stored', async () => {
  const platform = await startPlatform();
  await platform.post(
    'createNotes',
    notes({ body: 'pinned', is_pinned: true, unpin_at: '2027-01-01T00:00:00Z' }),
  );
  expect((await platform.ledger())[0]!.data).toEqual({
    body: 'pinned',
    is_pinned: true,
    unpin_at: '2027-01-01T00:00:00Z',
    created_at: START,
  });
});

test('2.2: a document path is stored as text and never opened', async () => {
  const platform = await startPlatform();
  const document_path = 'etc/passwd';
  expect((await platform.post('createNotes', notes({ document_paths: [{ document_path }] }))).status).toBe(
    201,
  );
  const [line] = await platform.ledger();
  expect(line!.data['document_paths']).toEqual([{ document_path }]);
  expect(line).toMatchObject({ documents: ['s3://migration/acme/etc/passwd'] });
});

test('2.2: a document path out of the root of the supplier is refused at its own place', async () => {
  const platform = await startPlatform();
  const paths = ['letters/1.pdf', '../beta/1.pdf', 's3://other/1.pdf', '/1.pdf'];
  const note = { document_paths: paths.map((document_path) => ({ document_path })) };
  const answer = await platform.post('createNotes', notes(note));
  expect([answer.status, problemsOf(answer)]).toEqual([
    400,
    [
      ['document_path_leaves_root', 'notes.0.document_paths.1.document_path'],
      ['document_path_not_relative', 'notes.0.document_paths.2.document_path'],
      ['document_path_not_relative', 'notes.0.document_paths.3.document_path'],
    ],
  ]);
  expect(await platform.ledger()).toEqual([]);
});

test('3.3: the same body without created_at exists already, within a request and across requests', async () => {
  const platform = await startPlatform();
  const first = await platform.post('createNotes', notes({ body: 'same' }, { body: 'same' }));
  platform.clock.nowMs += 60_000;
  const second = await platform.post('createNotes', notes({ body: 'same' }));
  expect(first.body.map(({ status }: { status: string }) => status)).toEqual([
    'NOTE_CREATION_SUCCESS',
    'NOTE_ALREADY_EXISTS',
  ]);
  expect(second.body, 'the answer shows the note that is there').toEqual([
    { created_at: START, body: 'same', status: 'NOTE_ALREADY_EXISTS' },
  ]);
  expect(await platform.ledger()).toHaveLength(1);
});

test.each([
  {
    order: 'a bare note, then a dated one of another time',
    items: [{}, { created_at: '2026-01-01T00:00:00Z' }],
    created: 2,
  },
  { order: 'a dated note, then a bare one', items: [{ created_at: '2026-01-01T00:00:00Z' }, {}], created: 1 },
  {
    order: 'two spellings of one instant',
    items: [{ created_at: '2026-01-01T12:00:00Z' }, { created_at: '2026-01-01T13:00:00+01:00' }],
    created: 1,
  },
  {
    order: 'two instants',
    items: [{ created_at: '2026-01-01T12:00:00Z' }, { created_at: '2026-01-01T12:00:01Z' }],
    created: 2,
  },
  {
    order: 'a bare note, then one dated at the time it was given',
    items: [{}, { created_at: START }],
    created: 1,
  },
])('3.3: one body, $order, makes $created notes', async ({ items, created }) => {
  const platform = await startPlatform();
  await platform.post('createNotes', notes(...items.map((item) => ({ body: 'same', ...item }))));
  expect(await platform.ledger()).toHaveLength(created);
});

test('a time with another offset, or with fractions of a second, is accepted and answered in UTC', async () => {
  const platform = await startPlatform();
  const times = ['2026-01-01T13:00:00+01:00', '2026-01-01T12:00:00.5Z'];
  const answer = await platform.post(
    'createNotes',
    notes(...times.map((created_at) => ({ body: 'a', created_at }))),
  );
  expect(answer.status).toBe(201);
  expect((answer.body as { created_at: string }[]).map(({ created_at }) => created_at)).toEqual([
    '2026-01-01T12:00:00Z',
    '2026-01-01T12:00:00.5Z',
  ]);
});

test('notes without a body differ by their document paths', async () => {
  const platform = await startPlatform();
  const paths = (...names: string[]) => ({
    document_paths: names.map((document_path) => ({ document_path })),
  });
  const answer = await platform.post(
    'createNotes',
    notes(paths('a'), paths('b'), paths('a', 'b'), paths('a')),
  );
  expect(answer.body.map(({ status }: { status: string }) => status)).toEqual([
    'NOTE_CREATION_SUCCESS',
    'NOTE_CREATION_SUCCESS',
    'NOTE_CREATION_SUCCESS',
    'NOTE_ALREADY_EXISTS',
  ]);
});

test('the same note on another account is another note', async () => {
  const platform = await startPlatform();
  await platform.post('createNotes', notes({ body: 'same' }));
  const answer = await platform.post('createNotes', {
    ...notes({ body: 'same' }),
    external_account_number: '1005',
  });
  expect(answer.body[0].status).toBe('NOTE_CREATION_SUCCESS');
});

test('unpin_at needs no is_pinned, and must not be before created_at', async () => {
  const platform = await startPlatform();
  expect((await platform.post('createNotes', notes({ body: 'x', unpin_at: START }))).status).toBe(201);
  const answer = await platform.post(
    'createNotes',
    notes({ body: 'y', created_at: '2026-01-02T00:00:00Z', unpin_at: '2026-01-01T00:00:00Z' }),
  );
  expect(problemsOf(answer)).toEqual([
    ['note_unpin_at_earlier_than_creation_date', 'notes.0.non_field_errors'],
  ]);
});

test('7.1: every problem of every note is listed with its path', async () => {
  const platform = await startPlatform();
  const answer = await platform.post(
    'createNotes',
    notes({ body: 7 }, 'text', { body: 'x', pinned: true }, { body: 'a\u0000b' }, 5, {
      document_paths: [{}],
    }),
  );
  expect(answer.status).toBe(400);
  expect(problemsOf(answer)).toEqual([
    ['invalid', 'notes.0.body'],
    ['invalid', 'notes.1.non_field_errors'],
    ['unexpected_field', 'notes.2.pinned'],
    ['null_characters_not_allowed', 'notes.3.body'],
    ['invalid', 'notes.4.non_field_errors'],
    ['required', 'notes.5.document_paths.0.document_path'],
  ]);
});

test.each([
  { state: 'only staged', external_account_number: '1002' },
  { state: 'being imported', external_account_number: '1003' },
  { state: 'failed to import', external_account_number: '1004' },
  { state: 'unknown', external_account_number: '9999' },
])('4.2: 404 when the account is $state', async ({ external_account_number }) => {
  const platform = await startPlatform();
  const answer = await platform.post('createNotes', {
    ...ACCOUNT,
    external_account_number,
    notes: [{ body: 'x' }],
  });
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({ detail: expect.any(String), code: 'account_not_found' });
});
