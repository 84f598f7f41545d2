import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { afterEach, describe, expect, test } from 'vitest';
import { plainJson } from '../../src/core/values/plain-json.ts';
import type { LoggedRequest } from '../../src/server/http/logged-request.ts';
import type { RunningServer } from '../../src/server/start.ts';
import { verificationDocument } from '../../src/cli/verify/verification-schema.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { imported } from '../support/operator-document.ts';
import { conformanceTo } from '../support/openapi-conformance.ts';
import { startWithSeed } from '../support/read-seeds.ts';
import { documentOf } from '../support/server-platform.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const QUICKSTART = join(projectRoot, 'fixtures/quickstart');
const SEED = readFileSync(join(QUICKSTART, 'seed.yaml'), 'utf8');
const contractOf = (operator: string): string =>
  join(projectRoot, 'fixtures/contracts', operator, 'contract.json');

type Row = Readonly<Record<string, string>>;
const RESOURCES = ['notes', 'transactions', 'statements', 'payment-instructions'] as const;

/** Two rows of each kind in a file of the quickstart: a type and a reason, and the columns with a value. */
function rowsOfEachShape(resource: (typeof RESOURCES)[number]): readonly Row[] {
  const text = readFileSync(join(QUICKSTART, `${resource}.csv`));
  const all = parse(text, { bom: true, columns: true }) as Row[];
  // Among a few numbers of two lengths the short ones would seem to have lost zeros.
  const rows = all.filter((row) => row['external_account_number']!.length === 10);
  const shapeOf = (row: Row): string =>
    [row['type'], row['reason'], ...Object.keys(row).filter((name) => row[name] !== '')].join();
  return [...Map.groupBy(rows, shapeOf).values()].flatMap((each) => each.slice(0, 2));
}

/** The parameters of a line item, as a cell with JSON; empty when the row has no such item. */
function paramsOf(row: Row, item: number): Row {
  const params = { charge_target_type: 'SUPPLY_POINT', supply_point_identifier: '12345678901' };
  return {
    [`line_items.${item}.params`]: row[`line_items.${item}.net_amount`] ? JSON.stringify(params) : '',
  };
}

let server: RunningServer | undefined;
afterEach(async () => {
  if (server) await expectDocumentedAnswers(server.url);
  await server?.close();
  server = undefined;
});

/** Documents that were compared with, by their texts without the address: the schemas of a contract are compiled once. */
const CONFORMANCE = new Map<string, Pick<ReturnType<typeof conformanceTo>, 'problemsOfAnswer'>>();

/** Every answer of a test fits the document that the platform publishes under its contract. */
async function expectDocumentedAnswers(url: string): Promise<void> {
  const document = await documentOf(url);
  const name = JSON.stringify(document).replaceAll(url, '');
  const { problemsOfAnswer } = CONFORMANCE.get(name) ?? conformanceTo(document);
  CONFORMANCE.set(name, { problemsOfAnswer });
  const lines = (await (await fetch(`${url}/_local/requests`)).text())
    .split('\n')
    .filter((line) => line !== '');
  const wrong = lines.flatMap((line) => {
    const { method, path, status, response_body: text } = JSON.parse(line) as LoggedRequest;
    const body = text === undefined ? undefined : plainJson(text);
    // The log keeps the beginning of a long answer.
    if (status === null || body === undefined) return [];
    const exchange = { method, path, status, headers: new Headers(), body };
    return problemsOfAnswer(exchange).filter((problem) => !problem.startsWith('header '));
  });
  expect(wrong).toEqual([]);
}

/** A platform that answers as an operator does, and the environment of a client under the same contract. */
async function operator(name: string, file = contractOf(name)): Promise<Record<string, string>> {
  server = await startWithSeed(
    { text: SEED, file: () => join(QUICKSTART, 'seed.yaml') },
    {
      database: ':memory:',
      contract: file,
      version: '1.0.0',
      nowMs: () => Date.UTC(2027, 0, 1),
    },
  );
  return {
    DATAIMPORT_BASE_URL: server.url,
    DATAIMPORT_API_KEY: 'local-key',
    DATAIMPORT_SUPPLIER: 'ACME',
    DATAIMPORT_CONTRACT: file,
  };
}

const io = (env: Readonly<Record<string, string>>, cwd: string) =>
  fakeIo({ env, cwd, nowMs: Date.UTC(2027, 0, 1), chance: 0.5, maxWaits: 10 });

async function post(path: string, body: object): Promise<{ status: number; body: unknown }> {
  const token = await fetch(`${server!.url}/v1/graphql/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query:
        'mutation ($input: ObtainJSONWebTokenInput!) { obtainPlatformToken(input: $input) { token refreshToken refreshExpiresIn payload } }',
      variables: { input: { APIKey: 'local-key' } },
    }),
  });
  const data = (await token.json()) as { data: { obtainPlatformToken: { token: string } } };
  const response = await fetch(server!.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Token ${data.data.obtainPlatformToken.token}`,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

describe('a push under a contract, to a platform that answers as the operator', () => {
  test('creates every row, decimals as text and the account number under its own name', async () => {
    const env = await operator('halmere');
    const cwd = temporaryFolder();
    for (const resource of RESOURCES) {
      const rows = [...rowsOfEachShape(resource)];
      writeFileSync(join(cwd, 'rows.csv'), stringify(rows, { header: true }));
      const words = ['push', resource, 'rows.csv', '--json', '--run-dir', resource];
      const { exitCode, json } = await runCli(words, io(env, cwd));
      expect({ exitCode, problems: json()['problems'] }, resource).toEqual({ exitCode: 0, problems: [] });
      expect(json()['rows'], resource).toMatchObject({ read: rows.length, created: rows.length });
    }
  });

  test('creates every row with what another operator requires beside it', async () => {
    const completed: Readonly<Record<(typeof RESOURCES)[number], (row: Row) => Row>> = {
      notes: (row) => ({ ...row, created_at: row['created_at'] || '2026-01-05T09:00:00Z' }),
      transactions: (row) => ({ ...row, ...paramsOf(row, 0), ...paramsOf(row, 1) }),
      statements: (row) => ({
        ...row,
        statement_path: row['statement_path'] || `lost-${row['statement_id']}.pdf`,
      }),
      'payment-instructions': (row) => row,
    };
    const env = await operator('ostrelle');
    const cwd = temporaryFolder();
    let params = 0;
    for (const resource of RESOURCES) {
      const rows = rowsOfEachShape(resource).map(completed[resource]);
      writeFileSync(join(cwd, 'full.csv'), stringify(rows, { header: true }));
      const words = ['push', resource, 'full.csv', '--json', '--run-dir', resource];
      const { exitCode, json } = await runCli(words, io(env, cwd));
      expect({ exitCode, problems: json()['problems'] }, resource).toEqual({ exitCode: 0, problems: [] });
      expect(json()['rows'], resource).toMatchObject({ read: rows.length, created: rows.length });
      params += rows
        .flatMap(Object.entries)
        .filter(([name, text]) => name.endsWith('.params') && text !== '').length;
    }
    const ledger = await (await fetch(`${server!.url}/_local/ledger`)).text();
    // Each line item of the file has its parameters on the platform, too.
    expect(params).toBeGreaterThan(10);
    expect(ledger.match(/"charge_target_type"/g)).toHaveLength(params);
  });

  test('removes blanks at the ends of texts where the contract says so, and a push compares without them', async () => {
    const cwd = temporaryFolder();
    const contract = JSON.parse(readFileSync(contractOf('halmere'), 'utf8')) as object;
    const trimming = join(cwd, 'trims.json');
    writeFileSync(trimming, JSON.stringify({ ...contract, trims: true }));
    const env = await operator('halmere', trimming);
    const push = async (body: string, own: Record<string, string>) => {
      const file = `${body.trim()}.csv`;
      const note = `import_supplier,external_account_number,body\nACME,0010023417,"${body}"\n`;
      writeFileSync(join(cwd, file), note);
      const { exitCode, json } = await runCli(['push', 'notes', file, '--json'], io({ ...env, ...own }, cwd));
      const problems = json()['problems'] as readonly { readonly code: string; readonly line: number }[];
      return { exitCode, problems: problems.map(({ code, line }) => `${code} ${line}`) };
    };
    expect(await push(' rang ', {})).toEqual({ exitCode: 0, problems: [] });
    const ledger = await (await fetch(`${server!.url}/_local/ledger`)).text();
    expect(ledger).toContain('"body":"rang"');
    // Under a contract that does not say so, the answer differs by blanks alone.
    expect(await push(' wrote ', { DATAIMPORT_CONTRACT: contractOf('halmere') })).toEqual({
      exitCode: 6,
      problems: expect.arrayContaining(['differs_by_blanks 2']) as string[],
    });
  });

  describe('verify under a contract that says so takes texts without their blanks for equal', () => {
    const NOTES = `import_supplier,external_account_number,created_at,body
ACME,0010023417,2026-02-05T09:00:00Z,rang
ACME,0010023417,2026-02-05T09:00:00Z," wrote"
ACME,0010023417,2026-02-05T09:00:00Z,"came "
ACME,0010023417,,"  asked "
`;

    /** Pushes rows to a platform that removes blanks, and returns a comparison with its ledger, which is changed before. */
    async function pushedAndStored(csv: string, resource = 'notes') {
      const cwd = temporaryFolder();
      const trims = join(cwd, 'trims.json');
      writeFileSync(trims, JSON.stringify({ ...imported({}).contract, trims: true }));
      writeFileSync(join(cwd, 'keeps.json'), JSON.stringify(imported({}).contract));
      const env = await operator('trims', trims);
      writeFileSync(join(cwd, 'x.csv'), csv);
      const pushed = await runCli(['push', resource, 'x.csv', '--json'], io(env, cwd));
      const ledger = await (await fetch(`${server!.url}/_local/ledger`)).text();
      return {
        rows: pushed.json()['rows'],
        async verified(change = (text: string) => text, own: Record<string, string> = {}) {
          writeFileSync(join(cwd, 'ledger.ndjson'), change(ledger));
          const words = ['verify', resource, 'x.csv', '--ledger', 'ledger.ndjson', '--json'];
          const { exitCode, json } = await runCli(words, io({ ...env, ...own }, cwd));
          const [part] = verificationDocument.parse(json()).parts;
          return { exitCode, ledger: part!.comparisons[0]?.by_code };
        },
      };
    }

    test('also in the text of a note, which is its identity, and no other texts', async () => {
      const { rows, verified } = await pushedAndStored(NOTES);
      expect(rows).toMatchObject({ created: 4 });
      expect(await verified()).toEqual({ exitCode: 0, ledger: {} });
      // A platform that has kept the blanks has what the file has.
      expect(await verified((text) => text.replace('"wrote"', '" wrote"'))).toEqual({
        exitCode: 0,
        ledger: {},
      });
      // Blanks that the file does not have are a difference.
      expect(await verified((text) => text.replace('"rang"', '"rang "'))).toEqual({
        exitCode: 11,
        ledger: { record_differs: 1 },
      });
      expect(await verified(undefined, { DATAIMPORT_CONTRACT: 'keeps.json' })).toEqual({
        exitCode: 11,
        ledger: { record_differs: 3 },
      });
    });

    test('where some rows did not arrive', async () => {
      const { rows, verified } = await pushedAndStored(NOTES.replace(/0010023417(?=.*came)/, '0010023499'));
      expect(rows).toMatchObject({ created: 3, rejected: 1 });
      expect((await verified()).ledger).toEqual({});
    });

    test('of a transaction', async () => {
      const { rows, verified } = await pushedAndStored(
        'import_supplier,external_account_number,transaction_id,transaction_date,type,amount,reason,display_note\n' +
          'ACME,0010023417,T1,2026-02-05,CREDIT,44,GENERAL_CREDIT," by cheque "\n',
        'transactions',
      );
      expect(rows).toMatchObject({ created: 1 });
      expect(await verified()).toEqual({ exitCode: 0, ledger: {} });
      expect((await verified((text) => text.replace('by cheque', 'by  cheque'))).ledger).toEqual({
        record_differs: 1,
      });
    });
  });

  test('sends required fields that the interface does not have, from columns and JSON cells', async () => {
    const env = await operator('ostrelle');
    const cwd = temporaryFolder();
    const header =
      'import_supplier,external_account_number,transaction_id,transaction_date,type,amount,product_code,line_items.0.start_date,line_items.0.end_date,line_items.0.number_of_units,line_items.0.net_amount';
    const row = (id: string) =>
      `ACME,0010023417,${id},2026-02-05,SUPPLY_CHARGE,44,FLEX-12,2026-01-01,2026-01-31,4,44`;
    writeFileSync(
      join(cwd, 'columns.csv'),
      `${header},line_items.0.params.charge_target_type,line_items.0.params.register_serial_number\n${row('T1')},REGISTER,ABCD\n`,
    );
    writeFileSync(
      join(cwd, 'json.csv'),
      `${header},line_items.0.params\n${row('T2')},"{""charge_target_type"":""SUPPLY_POINT"",""supply_point_identifier"":""12345678901""}"\n`,
    );
    writeFileSync(join(cwd, 'without.csv'), `${header}\n${row('T3')}\n`);
    const push = (file: string) => runCli(['push', 'transactions', file, '--json'], io(env, cwd));
    for (const file of ['columns.csv', 'json.csv'])
      expect((await push(file)).json(), file).toMatchObject({ rows: { created: 1 }, problems: [] });
    const without = await push('without.csv');
    expect(without.exitCode).toBe(3);
    expect(without.json()['problems']).toMatchObject([
      { code: 'required', attr: 'line_items.0.params', line: 2 },
    ]);
    const ledger = await (await fetch(`${server!.url}/_local/ledger`)).text();
    expect(ledger).toContain('"params":{"charge_target_type":"REGISTER","register_serial_number":"ABCD"}');
    expect(ledger).toContain(
      '"params":{"charge_target_type":"SUPPLY_POINT","supply_point_identifier":"12345678901"}',
    );
  });

  test('keeps a number and a text of any JSON apart, also for verify', async () => {
    const cwd = temporaryFolder();
    const { contract } = imported({ transaction: { extra: {}, details: { type: 'object' } } });
    writeFileSync(join(cwd, 'any.json'), JSON.stringify(contract));
    const env = await operator('any', join(cwd, 'any.json'));
    writeFileSync(
      join(cwd, 't.csv'),
      'import_supplier,external_account_number,transaction_id,transaction_date,type,amount,extra,details\n' +
        'ACME,0010023417,T1,2026-02-05,CREDIT,44,12.50,"{""a"":1.5,""b"":""1.5""}"\n' +
        'ACME,0010023417,T2,2026-02-05,CREDIT,44,"""12.50""",{}\n',
    );
    const words = ['transactions', 't.csv'];
    expect((await runCli(['push', ...words, '--json'], io(env, cwd))).json()).toMatchObject({
      rows: { created: 2 },
    });
    const ledger = await (await fetch(`${server!.url}/_local/ledger`)).text();
    expect(ledger).toContain('"details":{"a":1.5,"b":"1.5"},"extra":12.50');
    expect(ledger).toContain('"details":{},"extra":"12.50"');
    const verified = await runCli(['verify', ...words, '--ledger', server!.url], io(env, cwd));
    expect(verified.stdout).toContain('nothing differs');
  });

  const deep = { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } };
  const own = { type: 'object', additionalProperties: false, properties: { deep } };
  const FREE = { extra: {}, details: { type: 'object' }, own };
  const LINE =
    '{"import_supplier":"ACME","external_account_number":"0010023417","transaction_date":"2026-02-05","type":"CREDIT","amount":44,';
  const VALUES = [
    ['a text with digits', '"12.50"'],
    ['a number', '12.50'],
    ['a text like a list', '"[1]"'],
    ['a text like an object', '"{\\"a\\":1}"'],
    ['a text with zeros', '"0012"'],
    ['a text that is no JSON', '"no {"'],
    ['a truth value', 'true'],
    ['a text like a truth value', '"true"'],
    ['a list', '["1",1.0]'],
    ['an object', '{"a":{"b":"1.5","n":null},"c":[{"d":1.50}],"e":{}}'],
    ['an empty object', '{}'],
    ['a number with more digits than a float keeps', '12345678901234567890'],
    [
      'such a number and a text like it in an object',
      '{"a":[0.1234567890123456789,"0.1234567890123456789"]}',
    ],
    ['such a number in a list', '[12345678901234567890]'],
    ['a number with an exponent', '1e5'],
    ['a text like a number with many digits', '"12345678901234567890"'],
  ] as const;

  /** Pushes lines of JSON under a contract with fields that take any JSON. */
  async function pushedLines(lines: readonly string[], mapping?: string) {
    const cwd = temporaryFolder();
    const { contract } = imported({ transaction: FREE });
    writeFileSync(join(cwd, 'any.json'), JSON.stringify(contract));
    const env = await operator('any', join(cwd, 'any.json'));
    writeFileSync(join(cwd, 't.jsonl'), lines.map((line) => `${line}\n`).join(''));
    if (mapping !== undefined) writeFileSync(join(cwd, 't.jsonl.map.yaml'), mapping);
    const words = ['transactions', 't.jsonl'];
    const pushed = await runCli(['push', ...words, '--json'], io(env, cwd));
    const ledger = await (await fetch(`${server!.url}/_local/ledger`)).text();
    const verified = async (): Promise<string> =>
      (await runCli(['verify', ...words, '--ledger', server!.url], io(env, cwd))).stdout;
    return { pushed: pushed.json(), ledger, verified };
  }

  const MAPPING = (field: string): string =>
    'version: 1\nresource: transactions\nfields:\n' +
    ['import_supplier', 'external_account_number', 'transaction_id', 'transaction_date', 'type', 'amount']
      .map((name) => `  ${name}: ${name}\n`)
      .join('') +
    field;

  test.each([
    [['extra', 'details'], undefined],
    [['own', 'other'], MAPPING('  extra: own\n  details: other\n')],
  ])(
    'keeps the kinds of JSON Lines in fields of any JSON, also for verify: from %j',
    async ([extra, details], mapping) => {
      const fields = [
        ...VALUES.map(([what, json]) => ({ what, json, field: 'extra', own: extra })),
        ...VALUES.filter(([, json]) => json.startsWith('{')).map(([what, json]) => ({
          what,
          json,
          field: 'details',
          own: details,
        })),
      ];
      const lines = fields.map(({ own, json }, at) => `${LINE}"transaction_id":"T${at}","${own}":${json}}`);
      const { pushed, ledger, verified } = await pushedLines(lines, mapping);
      expect(pushed).toMatchObject({ rows: { created: fields.length }, problems: [] });
      for (const { what, json, field } of fields) expect(ledger, what).toContain(`"${field}":${json}`);
      expect(await verified()).toContain('nothing differs');
    },
  );
});

test('status and accounts read the account number under the name of the contract', async () => {
  const env = await operator('halmere');
  const status = await runCli(['status', '0010023417', '--json'], io(env, temporaryFolder()));
  expect(status.json()).toMatchObject({ platform_account_number: expect.stringMatching(/^A-/) as string });
  expect((await runCli(['accounts', '--json'], io(env, temporaryFolder()))).exitCode).toBe(0);
});

describe('serve --contract', () => {
  const account = { import_supplier: 'ACME', external_account_number: '0010023417' };
  const credit = {
    transaction_id: 'T1',
    transaction_date: '2026-01-05',
    type: 'CREDIT',
    amount: 12.5,
    reason: 'GENERAL_CREDIT',
  };

  test('refuses what the operator refuses: forms, values, fields of a type, required fields', async () => {
    await operator('halmere');
    const send = (changes: object) =>
      post('/v1/data-import/transactions/create/', {
        ...account,
        transactions: [{ ...credit, amount: '12.50', ...changes }],
      });
    expect(await send({})).toMatchObject({
      status: 201,
      body: { results: [{ transaction_data: { amount: '12.50' } }] },
    });
    expect(await send({ amount: 12.5 })).toMatchObject({
      status: 400,
      body: { error_detail: expect.stringContaining('amount: is not a decimal as text') as string },
    });
    expect(await send({ reason: 'NOT_LISTED' })).toMatchObject({
      status: 400,
      body: { error_detail: expect.stringContaining('invalid_choice') as string },
    });
    expect(await send({ reason: undefined })).toMatchObject({
      status: 400,
      body: { error_detail: expect.stringContaining('reason: is required') as string },
    });
    expect(await send({ reference: 'R' })).toMatchObject({ status: 201 });
    expect(await send({ mood: 'R' })).toMatchObject({
      status: 400,
      body: { error_detail: expect.stringContaining('mood: is not a field of the interface') as string },
    });
    expect(await send({ billing_document_identifier: 'B1', transaction_id: 'T2' })).toMatchObject({
      status: 201,
    });
    // A request takes no more records than those of the operator.
    const statement = (at: number) => ({
      statement_id: `S${at}`,
      bill_period_from_date: '2026-01-01',
      bill_period_to_date: '2026-01-31',
    });
    const statements = Array.from({ length: 51 }, (_, at) => statement(at));
    expect(
      await post('/v1/data-import/historical-statements/create/', { ...account, statements }),
    ).toMatchObject({ status: 400 });
  });

  test.each([
    ['of the contract', {}, 'mutually_exclusive_field_required'],
    ['that the contract turns off', { off: true }, 'required'],
  ])('names an instruction without a reference by the rule %s', async (_, own, code) => {
    const file = join(temporaryFolder(), 'contract.json');
    const contract = JSON.parse(readFileSync(contractOf('halmere'), 'utf8')) as { rules: { code: string }[] };
    const rules = contract.rules.filter((rule) => rule.code === 'mutually_exclusive_field_required');
    expect(rules).toHaveLength(1);
    writeFileSync(file, JSON.stringify({ ...contract, rules: [{ ...rules[0], ...own }] }));
    await operator('halmere', file);
    const { status, body } = await post('/v1/data-import/payment-instruction/create/', {
      ...account,
      vendor: 'STRIPE',
      type: 'CARD',
    });
    expect({ status, text: JSON.stringify(body) }).toEqual({
      status: 400,
      text: expect.stringContaining(`"code":"${code}"`) as string,
    });
  });

  test('validates and stores nothing with dry_run, where the operator has it', async () => {
    await operator('ostrelle');
    const send = (dry_run: unknown) =>
      post('/v1/data-import/transactions/create/', { ...account, dry_run, transactions: [credit] });
    expect(await send(true)).toMatchObject({ status: 201 });
    expect(await (await fetch(`${server!.url}/_local/ledger`)).text()).toBe('');
    expect(await send('yes')).toMatchObject({ status: 400 });
    expect(await send(false)).toMatchObject({
      status: 201,
      body: { results: [{ status: 'TRANSACTION_ADDED_TO_ACCOUNT' }] },
    });
    await server!.close();
    await operator('halmere');
    expect(await send(true)).toMatchObject({ status: 400 });
  });

  test('names the account number as the operator does', async () => {
    await operator('ostrelle');
    const instruction = readFileSync(join(QUICKSTART, 'payment-instructions.csv'), 'utf8')
      .split('\n')[1]!
      .trim()
      .split(',');
    const [import_supplier, external_account_number, vendor, reference, type] = instruction;
    expect(
      await post('/v1/data-import/payment-instruction/create/', {
        import_supplier,
        external_account_number,
        vendor,
        reference,
        type,
      }),
    ).toEqual({
      status: 201,
      body: { ostrelle_account_number: expect.stringMatching(/^A-/) as string, reference },
    });
  });
});

test('the pages of the platform show the contract: OpenAPI, and rules with document and pointer', async () => {
  await operator('ostrelle');
  const read = async (path: string): Promise<unknown> => (await fetch(server!.url + path)).json();
  const document = (await read('/_local/openapi.json')) as {
    components: { schemas: Record<string, { properties: Record<string, object> }> };
  };
  const { schemas } = document.components;
  expect(schemas['Charge']!.properties['reason']).toMatchObject({
    enum: ['IMPORTED_CHARGE', 'METER_FEE', 'SERVICE_FEE', 'LATE_FEE'],
  });
  expect(schemas['Charge']!.properties).not.toHaveProperty('reference');
  expect(schemas['Statement']!.properties['pages']).toMatchObject({ type: 'number' });
  expect(schemas['TransactionsRequest']!.properties).toHaveProperty('dry_run');
  const parity = (await read('/_local/parity')) as {
    counts: Record<string, number>;
    rules: readonly object[];
  };
  expect(parity.counts['operator']).toBe(7);
  expect(parity.rules).toContainEqual(
    expect.objectContaining({
      name: 'invalid_charge_target_type',
      authority: 'operator',
      source:
        'Ostrelle customer import 6.4.2, /components/schemas/LineItem/x-validators/LineItem/possible_errors/2',
    }),
  );
});

test('the schema of mapping files has the fields that the contract adds', async () => {
  const env = { DATAIMPORT_CONTRACT: contractOf('halmere') };
  expect((await runCli(['schema', 'mapping'], io(env, temporaryFolder()))).stdout).toContain(
    '"billing_document_identifier"',
  );
  expect((await runCli(['schema', 'mapping'])).stdout).not.toContain('"billing_document_identifier"');
});
