import { describe, expect, test } from 'vitest';
import { ENDPOINTS, type EndpointName } from '../../../src/core/contract/endpoints.ts';
import { expectHarmless, expectRevealsNothing } from '../../support/server-harm.ts';
import {
  ACCOUNT,
  charge,
  problemsOf,
  startPlatform,
  type Answered,
  type TestPlatform,
} from '../../support/server-platform.ts';
import { exchange } from '../../support/server-bytes.ts';
import { JSON_VALUES, NOT_JSON, OPEN_TO_CHOICE } from './malformed-json.ts';

const GOOD = JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }] });
const POSTS = ['createNotes', 'createTransactions', 'createStatements', 'createPaymentInstruction'] as const;

/** Sends many bodies with one token. */
async function poster(platform: TestPlatform, endpoint: EndpointName = 'createNotes') {
  const authorization = `Token ${await platform.token()}`;
  return async (body: string | Uint8Array): Promise<Answered> => {
    const answer = await platform.request('POST', ENDPOINTS[endpoint].path, {
      body,
      headers: { authorization },
    });
    expectRevealsNothing({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: answer.text,
    });
    return answer;
  };
}

const codeOf = ({ status, body }: Answered) => [status, body.code];
const NO_JSON = [400, 'parse_error'];

/** A good body of one transaction with this text as its amount. */
const withAmount = (amount: string, more = ''): string =>
  `{"import_supplier":"ACME","external_account_number":"1001","transactions":[{"transaction_id":"t-1","transaction_date":"2026-02-01","type":"CHARGE","amount":${amount}${more}}]}`;

describe('a body that is not JSON', () => {
  const bodies: readonly (readonly [string, string | Uint8Array])[] = [
    ['[J01] empty', ''],
    ['[J01] spaces', ' \n\t '],
    ['[J04] with a trailing comma', '{"a":1,}'],
    ['[J04] with a comment', '{"a":1/* one */}'],
    ['[J04] with single quotes', "{'a':1}"],
    ['[J04] with a key without quotes', '{a:1}'],
    ['[J04] with a hexadecimal number', '{"a":0x1F}'],
    ['[J04] with a leading zero', '{"a":01}'],
    ['[J04] with `.5`', '{"a":.5}'],
    ['[J04] with `5.`', '{"a":5.}'],
    ['[J05] two documents', `${GOOD}${GOOD}`],
    ['[J05] lines of documents', `${GOOD}\n${GOOD}\n`],
    ['[J06] with a byte order mark', Buffer.concat([Buffer.from('efbbbf', 'hex'), Buffer.from(GOOD)])],
    ['[J07] with the byte FF', Buffer.from(GOOD.replace('"x"', '"\u00ff"'), 'latin1')],
    ['[J07] with an overlong form', Buffer.from(GOOD.replace('"x"', '"\u00c0\u00af"'), 'latin1')],
    ['[J07] with a surrogate in bytes', Buffer.from(GOOD.replace('"x"', '"\u00ed\u00a0\u0080"'), 'latin1')],
    ['[J08] in UTF-16', Buffer.from(GOOD, 'utf16le')],
    ['[J08] in UTF-16 with its mark', Buffer.from(`\uFEFF${GOOD}`, 'utf16le')],
    ['[J08] in UTF-32', Buffer.from([...GOOD].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0]))],
    ['[J11] with a key twice', withAmount('1', ',"amount":2')],
    ['[J11] with a key twice, both the same', withAmount('1', ',"amount":1')],
    ['[J12] with a key twice, once escaped', withAmount('1', String.raw`,"am\u006funt":2`)],
    ['[J16] 33 deep', withAmount(`${'['.repeat(30)}${']'.repeat(30)}`)],
    ['[J16] 1,000 deep', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
    ['[J16] 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['[J16] 1,000,000 deep', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    [
      '[J17] with 300,000 keys in an object',
      `{${Array.from({ length: 300_000 }, (_, key) => `"k${key}":1`).join(',')}}`,
    ],
    [
      '[J18] with keys that collide',
      `{${Array.from({ length: 100_000 }, (_, key) => `"${key * 16_777_216}":1`).join(',')}}`,
    ],
    ['[J19] with NaN', withAmount('NaN')],
    ['[J19] with Infinity', withAmount('Infinity')],
    ['[J19] with -Infinity', withAmount('-Infinity')],
  ];
  test('is a parse_error, whatever is wrong with it', async () => {
    const platform = await startPlatform();
    const post = await poster(platform);
    for (const [says, body] of bodies) expect(codeOf(await post(body)), says).toEqual(NO_JSON);
    await expectHarmless(platform);
  });

  test('[J16] a document of 32 levels is accepted', async () => {
    const platform = await startPlatform();
    const post = await poster(platform, 'createTransactions');
    const answer = await post(withAmount(`${'['.repeat(29)}${']'.repeat(29)}`));
    expect(answer.body).toMatchObject({ status: 'TRANSACTION_IMPORT_ERROR' });
  });

  test('[J03] because it is cut is a parse_error, wherever the cut is', async () => {
    const platform = await startPlatform();
    const post = await poster(platform);
    for (let length = 0; length < GOOD.length; length++)
      expect(codeOf(await post(GOOD.slice(0, length))), `after ${length}`).toEqual(NO_JSON);
    await expectHarmless(platform);
  });

  test('[J31] is a parse_error, alone and inside a payload', async () => {
    const platform = await startPlatform();
    const post = await poster(platform, 'createTransactions');
    const [before, after] = withAmount('<>').split('<>') as [string, string];
    for (const [kind, documents] of Object.entries(NOT_JSON))
      for (const document of documents) {
        const says = `${kind}: ${JSON.stringify(document)}`;
        expect(codeOf(await post(document)), says).toEqual(NO_JSON);
        const inside = Buffer.concat([Buffer.from(before), Buffer.from(document), Buffer.from(after)]);
        expect((await post(inside)).status, says).toBe(400);
      }
    await expectHarmless(platform);
  });
});

describe('JSON that is not a payload', () => {
  test('[J02] a value that is no object is an invalid object', async () => {
    const platform = await startPlatform();
    for (const endpoint of POSTS) {
      const post = await poster(platform, endpoint);
      for (const body of ['null', 'true', '123', '1e400', '"x"', '[]', '[{}]'])
        expect(problemsOf(await post(body)), `${endpoint}: ${body}`).toEqual([
          ['invalid', 'non_field_errors'],
        ]);
    }
    await expectHarmless(platform);
  });

  test('[J32] every document is read as JSON, and then refused as a payload', async () => {
    const platform = await startPlatform();
    for (const endpoint of POSTS) {
      const post = await poster(platform, endpoint);
      for (const document of Object.values(JSON_VALUES).flat()) {
        const { status, body } = await post(document);
        expect([status, body.code], `${endpoint}: ${document}`).toEqual([400, 'validation_error']);
      }
    }
    await expectHarmless(platform);
  });

  test('[J33] a document that readers may take or refuse has always the same answer', async () => {
    const platform = await startPlatform();
    const post = await poster(platform);
    for (const [says, document, isRead] of OPEN_TO_CHOICE)
      expect(codeOf(await post(document)), says).toEqual([400, isRead ? 'validation_error' : 'parse_error']);
    await expectHarmless(platform);
  });

  const payloads: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
    [
      '[J28] an object in place of a list',
      `{"import_supplier":"ACME","external_account_number":"1001","notes":{"0":{"body":"x"}}}`,
      [['not_a_list', 'notes']],
    ],
    [
      '[J28] a list in place of an object',
      `{"import_supplier":"ACME","external_account_number":"1001","notes":[["body","x"]]}`,
      [['invalid', 'notes.0.non_field_errors']],
    ],
    [
      '[J28] a list in place of a text',
      `{"import_supplier":["ACME"],"external_account_number":"1001","notes":[{"body":"x"}]}`,
      [['invalid', 'import_supplier']],
    ],
    [
      '[J29] an unlisted field',
      GOOD.replace('"body":"x"', '"body":"x","mood":"good"'),
      [['unexpected_field', 'notes.0.mood']],
    ],
    [
      '[J30] a key with a zero-width space',
      GOOD.replace('import_supplier', 'import\u200b_supplier'),
      [
        ['required', 'import_supplier'],
        ['unexpected_field', 'import\u200b_supplier'],
      ],
    ],
    [
      '[J30] a key with a letter of another script',
      GOOD.replace('notes', 'not\u0435s'),
      [
        ['required', 'notes'],
        ['unexpected_field', 'not\u0435s'],
      ],
    ],
    [
      '[J13] __proto__ at the top',
      GOOD.replace('{', '{"__proto__":{"x":1},'),
      [['unexpected_field', '__proto__']],
    ],
    [
      '[J13] __proto__ in a record',
      GOOD.replace('"body"', '"__proto__":{"x":1},"body"'),
      [['unexpected_field', 'notes.0.__proto__']],
    ],
    [
      '[J14] constructor.prototype',
      GOOD.replace('"body"', '"constructor":{"prototype":{"x":1}},"body"'),
      [['unexpected_field', 'notes.0.constructor']],
    ],
    ['[J15] toString', GOOD.replace('{', '{"toString":"a",'), [['unexpected_field', 'toString']]],
    [
      '[J15] hasOwnProperty',
      GOOD.replace('"body"', '"hasOwnProperty":1,"body"'),
      [['unexpected_field', 'notes.0.hasOwnProperty']],
    ],
    ['[J15] length', GOOD.replace('"body"', '"length":1,"body"'), [['unexpected_field', 'notes.0.length']]],
    [
      '[J09] half a surrogate pair in a note',
      GOOD.replace('"x"', String.raw`"\ud800"`),
      [['invalid', 'notes.0.body']],
    ],
    [
      '[J10] NUL in a note',
      GOOD.replace('"x"', String.raw`"a\u0000b"`),
      [['null_characters_not_allowed', 'notes.0.body']],
    ],
    [
      '[J10] NUL in the account',
      GOOD.replace('1001', String.raw`1001\u0000`),
      [['null_characters_not_allowed', 'external_account_number']],
    ],
  ];
  test('is a 400 that names the field', async () => {
    const platform = await startPlatform();
    const post = await poster(platform);
    for (const [says, body, problems] of payloads) {
      const found = problemsOf(await post(body));
      expect(found, says).toHaveLength(problems.length);
      expect(found, says).toEqual(expect.arrayContaining([...problems]));
      expect(({} as Record<string, unknown>)['x'], says).toBeUndefined();
    }
    await expectHarmless(platform);
  });
});

describe('numbers', () => {
  const amounts = [
    ['[J20] 1e400', '1e400'],
    ['[J20] 1e-400', '1e-400'],
    ['[J20] 1e5', '1e5'],
    ['[J22] a number of more digits than a float keeps', '12345678901234567.89'],
    ['[J22] the first whole number that a float cannot keep', '9007199254740993'],
    ['[J24] true', 'true'],
    ['[J24] null', 'null'],
    ['[J24] an object', '{}'],
    ['[J24] a list', '[]'],
    ['[J25] text with a line end', String.raw`"10.0\n"`],
    ['[J25] text with a leading space', '" 10"'],
    ['[J25] text with a trailing space', '"10 "'],
  ] as const;
  test('an amount in another form is a 400', async () => {
    const platform = await startPlatform();
    const post = await poster(platform, 'createTransactions');
    for (const [says, amount] of amounts) {
      const { status, body } = await post(withAmount(amount));
      expect([status, body.status], says).toEqual([400, 'TRANSACTION_IMPORT_ERROR']);
      expect(body.error_detail, says).toMatch(/^amount: /);
      if (says.startsWith('[J22]'))
        expect(body.error_detail, says).toBe(
          'amount: is not text with the same digits, because a float would change them (invalid)',
        );
    }
    await expectHarmless(platform);
  });

  test.each([
    ['[J21] -0', '-0', '0.00'],
    ['[J21] "-0.00"', '"-0.00"', '0.00'],
    ['[J23] 10.1 as a number', '10.1', '10.10'],
    ['[J23] 10.1 as a string', '"10.1"', '10.10'],
    ['[J22] as many digits as an amount can have, as a string', '"1234567890.12"', '1234567890.12'],
  ])('an amount that is %s is stored', async (_, amount, stored) => {
    const platform = await startPlatform();
    const answer = await (await poster(platform, 'createTransactions'))(withAmount(amount));
    expect(answer.status).toBe(201);
    expect((await platform.ledger())[0]?.data['amount']).toBe(stored);
  });

  test('[J22] a number of 20 digits is accepted as a string, and stored digit for digit', async () => {
    const platform = await startPlatform();
    const tax = (value: string) =>
      `,"tax_items":[{"amount":0,"tax_type":"VAT","value_taxed":${value},"rate":0.2,"unit_type":"PROPORTION"}]`;
    const post = await poster(platform, 'createTransactions');
    const asNumber = await post(withAmount('1', tax('123456789012345.12345')));
    expect(asNumber.body.error_detail).toMatch(/value_taxed: .*text with the same digits/);
    expect((await post(withAmount('1', tax('"123456789012345.12345"')))).status).toBe(201);
    expect(JSON.stringify(await platform.ledger())).toContain('"value_taxed":"123456789012345.12345"');
  });
});

describe('too much', () => {
  test.each([
    ['[J26] a string of 50 MB', 50_000_000],
    ['[J34] a good body of 11 MB', 11_000_000],
  ])('%s is refused before it is read', async (_, length) => {
    const platform = await startPlatform();
    const head = `POST ${ENDPOINTS.createNotes.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token ${await platform.token()}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${GOOD}`;
    const { answers, isClosed } = await exchange(platform.port, head, { untilClosed: true });
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[413], true]);
    await expectHarmless(platform);
  });

  test('[J27] a million empty objects are refused, for the size or for their number', async () => {
    const many = JSON.stringify({ ...ACCOUNT, notes: [] }).replace('[]', `[${'{},'.repeat(999_999)}{}]`);
    const platform = await startPlatform();
    const post = await poster(platform);
    expect(problemsOf(await post(many))).toEqual([['max_length', 'notes']]);
    const tight = await startPlatform({ behaviour: ['body-limit=2900000'] });
    expect((await (await poster(tight))(many)).status).toBe(413);
    await expectHarmless(platform);
  });

  test('[J09] a transaction with half a surrogate pair in each text is refused at each field', async () => {
    const platform = await startPlatform();
    const post = await poster(platform, 'createTransactions');
    for (const field of [
      'transaction_id',
      'display_note',
      'note',
      'reason',
      'reference',
      'product_code',
      'payment_type',
    ]) {
      const body = JSON.stringify({ ...ACCOUNT, transactions: [charge({ [field]: 'a\ud800b' })] });
      expect((await post(body)).body.error_detail, field).toContain(`${field}: `);
    }
    await expectHarmless(platform);
  });
});
