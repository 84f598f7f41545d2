import { describe, expect, test } from 'vitest';
import { comparedRecording, type Comparison } from '../../../src/cli/parity/compared.ts';
import type { TwinOptions } from '../../../src/cli/parity/twin.ts';
import { headersThatMatter, tokenAnswer, tokenIn } from '../../../src/cli/recording/recorder.ts';
import type { Exchange } from '../../../src/cli/recording/exchange.ts';
import type { Recording } from '../../../src/cli/recording/recording.ts';
import { preciseInstantOfClock } from '../../../src/core/values/instant.ts';
import { plainJson } from '../../../src/core/values/plain-json.ts';
import { DEFAULT_TOKEN_MUTATION, tokenMutationDocument } from '../../../src/core/contract/token.ts';
import { ENDPOINTS, pathOf, type EndpointName } from '../../../src/core/contract/endpoints.ts';
import {
  BEHAVIOUR_DEFAULTS,
  DECISIONS,
  behaviourIn,
  valuesOf,
  type Behaviour,
} from '../../../src/server/options/behaviour.ts';
import { startServer } from '../../../src/server/start.ts';
import { charge, seedFile, statement, supplyCharge } from '../../support/server-platform.ts';

const SEED = `version: 1
api_keys: [{ key: all-key }]
suppliers:
  - { code: ACME, name: Acme Energy, status: Ongoing }
  - { code: EMPTY, name: Nobody yet, status: Ongoing }
  - { code: PAUSED, name: Paused Power, status: Paused }
vendors: [{ code: STRIPE, instructions: [{ reference: pi_1, type: CARD }] }]
accounts:
  - { import_supplier: ACME, external_account_number: "1", state: imported }
  - { import_supplier: ACME, external_account_number: "2", state: imported }
  - { import_supplier: PAUSED, external_account_number: "3", state: imported }
`;

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string | null;
}
const ACCOUNT = { import_supplier: 'ACME', external_account_number: '1' };
const post =
  (endpoint: EndpointName) =>
  (body: object): Sent => ({
    method: 'POST',
    path: pathOf(ENDPOINTS[endpoint]),
    body: JSON.stringify({ ...ACCOUNT, ...body }),
  });
const list = (importSupplier: string): Sent => ({
  method: 'GET',
  path: pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier }),
  body: null,
});
const [notes, transactions, statements, instruction] = [
  post('createNotes'),
  post('createTransactions'),
  post('createStatements'),
  post('createPaymentInstruction'),
];
const NOTE = { body: 'x', created_at: '2026-02-01T10:00:00Z', document_paths: [], is_pinned: false };
const LONG = notes({ notes: [{ ...NOTE, body: 'x'.repeat(3_000) }] });
const LONGER = notes({ notes: [{ ...NOTE, body: 'x'.repeat(4_000) }] });
const TWO = notes({ notes: [NOTE, { ...NOTE, body: 'y' }] });
const period = (transaction_id: string, rates: object = { rate_band: 'CONSUMPTION_STANDARD' }) =>
  supplyCharge({
    transaction_id,
    line_items: [
      { start_date: '2026-01-01', end_date: '2026-01-31', number_of_units: 4, net_amount: 44, ...rates },
    ],
  });
const { transaction_id: _, ...nameless } = charge();

/** The requests in which each flag of `serve` changes an answer, and the values that are tried of a flag without choices. */
const PROBES: Readonly<Record<string, { values?: readonly string[]; requests: readonly Sent[] }>> = {
  'error-shape': { requests: [statements({ statements: [{ statement_id: 'S' }] })] },
  'tx-400': {
    requests: [
      transactions({
        transactions: [charge({ transaction_id: 'A' }), charge({ transaction_id: 'B', amount: 0.123 })],
      }),
      transactions({ transactions: [charge({ transaction_id: 'A' })] }),
    ],
  },
  'transaction-ids': {
    requests: ['1', '2'].map((account) =>
      transactions({ external_account_number: account, transactions: [charge({ transaction_id: 'S' })] }),
    ),
  },
  'statements-status': { requests: [statements({ statements: [statement({ statement_id: 'OK' })] })] },
  'unknown-supplier-status': { requests: [notes({ import_supplier: 'UNKNOWN', notes: [NOTE] })] },
  'paused-status': {
    requests: [notes({ import_supplier: 'PAUSED', external_account_number: '3', notes: [NOTE] })],
  },
  'imported-status': {
    requests: [{ method: 'GET', path: '/v1/data-import/account-transfer-status/ACME/1/', body: null }],
  },
  'empty-list-status': { requests: [list('EMPTY')] },
  'token-path': { values: ['/tokens/'], requests: [] },
  require: {
    values: ['notes.is_pinned'],
    requests: [notes({ notes: [{ ...NOTE, is_pinned: undefined }] })],
  },
  strict: {
    values: [''],
    requests: [transactions({ transactions: [charge({ transaction_id: 'T', amount: '1.50' })] })],
  },
  lenient: { values: [''], requests: [notes({ notes: [{ ...NOTE, own: 1 }] })] },
  rule: { requests: [] },
  'rule=import_process_does_not_exist': {
    requests: [notes({ external_account_number: 'never', notes: [NOTE] })],
  },
  'rule=missing_transaction_id': {
    requests: [transactions({ transactions: [nameless, charge({ transaction_id: 'M', amount: 0.123 })] })],
  },
  'rule=line_items_overlap_already_charged_period': {
    requests: [transactions({ transactions: [period('P')] }), transactions({ transactions: [period('Q')] })],
  },
  'rule=conflicting_rate_band_specification': {
    requests: [transactions({ external_account_number: '2', transactions: [period('R', {})] })],
  },
  'rule=mutually_exclusive_field_required': { requests: [instruction({ vendor: 'STRIPE', type: 'CARD' })] },
  cors: { values: [], requests: [] },
  'body-limit': { values: [String(LONG.body!.length)], requests: [LONG, LONGER] },
  'max-items': {
    values: ['2'],
    requests: [TWO, notes({ notes: [NOTE, { ...NOTE, body: 'y' }, { ...NOTE, body: 'z' }] })],
  },
  'token-ttl': { values: ['900s'], requests: [] },
};
/** Requests that every platform takes. */
const GOOD = [
  list('ACME'),
  notes({ notes: [NOTE] }),
  transactions({ transactions: [charge({ transaction_id: 'G', note: 'n' })] }),
];

interface Switch {
  readonly key: string;
  /** As it is typed. */
  readonly text: string;
}

const isDefault = (text: string): boolean =>
  Object.entries(behaviourIn([text])).every(
    ([name, value]) => BEHAVIOUR_DEFAULTS[name as keyof Behaviour] === value,
  );

/** Every flag of `serve` that changes answers, with each of its values but the default. */
const SWITCHES: readonly Switch[] = Object.values(DECISIONS).flatMap(({ key, takes }) =>
  (
    PROBES[key]!.values ??
    valuesOf({ takes })
      .split('|')
      .filter((value) => !isDefault(`${key}=${value}`))
  ).map((value) => ({
    key: key === 'rule' ? `rule=${value}` : key,
    text: `${key}${value === '' ? '' : `=${value}`}`,
  })),
);
const requestsOf = ({ key }: Pick<Switch, 'key'>): readonly Sent[] => PROBES[key]!.requests;

const NOW_MS = Date.UTC(2026, 2, 15, 12);

/** Records what a platform with flags answers. */
async function recorded(texts: readonly string[], requests: readonly Sent[]): Promise<Recording> {
  const { tokenTtlSeconds, tokenPath } = behaviourIn(texts);
  const server = await startServer({
    database: ':memory:',
    seeds: [seedFile(SEED)],
    version: '0.0.0',
    behaviour: texts,
    nowMs: () => NOW_MS,
  });
  const { mutation, inputField } = DEFAULT_TOKEN_MUTATION;
  const exchanges: Exchange[] = [];
  let token = '';
  const send = async (sent: Sent, isForToken = false): Promise<string> => {
    const response = await fetch(server.url + sent.path, {
      method: sent.method,
      headers: {
        'content-type': 'application/json',
        ...(token !== '' && { authorization: `Token ${token}` }),
      },
      ...(sent.body !== null && { body: sent.body }),
    });
    const body = await response.text();
    const json = plainJson(body);
    const answer = isForToken ? tokenAnswer(json) : json === undefined ? null : body;
    exchanges.push({
      ...sent,
      at: preciseInstantOfClock(NOW_MS),
      status: response.status,
      headers: headersThatMatter(Object.fromEntries(response.headers)),
      answer,
      took_ms: 1,
      ...(isForToken && {
        body: null,
        token: { mutation, input_field: inputField },
        lifetime_s: tokenIn(json) === undefined ? null : tokenTtlSeconds,
      }),
    });
    return body;
  };
  const query = tokenMutationDocument(mutation);
  const body = JSON.stringify({ query, variables: { input: { [inputField]: 'all-key' } } });
  token = tokenIn(JSON.parse(await send({ method: 'POST', path: tokenPath, body }, true)))!;
  for (const request of requests) await send(request);
  await server.close();
  return { file: 'pilot.jsonl', exchanges, isDisguised: false, disguise: undefined, warnings: [] };
}

const twin = (texts: readonly string[]): TwinOptions => ({
  behaviour: texts,
  seeds: [{ name: 'seed.yaml', path: seedFile(SEED), text: SEED }],
  contract: undefined,
  timeZone: 'Europe/London',
  version: '0.0.0',
});

const rulesOf = ({ differences }: Comparison): unknown => differences.map(({ rule }) => rule);

describe('a platform with one flag differs by rules that name the flag, and with the flag nothing differs', () => {
  test.each(SWITCHES)('$text', async (one) => {
    const recording = await recorded([one.text], [...GOOD, ...requestsOf(one)]);
    const { differences, rules } = await comparedRecording(recording, twin([]));
    const says = rules.filter(({ name }) => differences.some(({ rule }) => rule === name));
    expect(says.map((rule) => rule.says).join()).toContain(`--behaviour ${one.key}`);
    expect(await comparedRecording(recording, twin([one.text]))).toMatchObject({ differences: [] });
  });
});

const FORM_AND_LIST = [
  transactions({ transactions: [charge({ transaction_id: 'T', amount: '1.50' })] }),
  transactions({ transactions: [charge({ transaction_id: 'U', reason: 'NO_SUCH_REASON' })] }),
];

test('strict changes two rules, forms of values and lists of values, also in a shape without codes', async () => {
  const shape = 'error-shape=nested';
  const recording = await recorded(['strict', shape], FORM_AND_LIST);
  expect(rulesOf(await comparedRecording(recording, twin([shape])))).toEqual([
    'tolerated-forms',
    'closed-enums',
  ]);
});

test('an answer 429 is no difference', async () => {
  const { exchanges, ...others } = await recorded([], [notes({ notes: [NOTE] })]);
  const limited = exchanges.flatMap((each) => [each, { ...each, status: 429, lifetime_s: null }]);
  const recording = { ...others, exchanges: [...limited, { ...limited.at(-1)!, path: '/v2/notes/' }] };
  const { differences, unsaid } = await comparedRecording(recording, twin([]));
  expect({ differences, unsaid }).toEqual({ differences: [], unsaid: ['limited', 'limited', 'limited'] });
});

test.each([1, 3])(
  'a refusal without a code of a request that was taken before is one difference: %i refusals',
  async (refusals) => {
    const sent = transactions({ transactions: [charge({ reason: 'NO_SUCH_REASON' })] });
    const { exchanges, ...others } = await recorded([], [sent, ...Array<Sent>(refusals).fill(sent)]);
    const answer = JSON.stringify({
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: 'exists (duplicate)',
      transaction_data: charge(),
    });
    const changed = exchanges.map((each, index) => (index > 1 ? { ...each, status: 400, answer } : each));
    const { differences } = await comparedRecording({ ...others, exchanges: changed }, twin([]));
    expect(differences).toMatchObject([
      { rule: 'transaction-answer', shows: [{ kind: 'status', items: refusals }] },
    ]);
  },
);

test('a request without an answer was applied when the same request is refused later, also in a shape without codes', async () => {
  const sent = statements({ statements: [statement({ statement_id: 'TWICE' })] });
  const recording = await recorded(['error-shape=nested'], [sent, sent]);
  expect(recording.exchanges.map(({ status }) => status)).toEqual([200, 201, 400]);
  const exchanges = recording.exchanges.map((exchange) =>
    exchange.status === 201 ? { ...exchange, status: null, headers: {}, answer: null } : exchange,
  );
  const compared = await comparedRecording({ ...recording, exchanges }, twin([]));
  expect(rulesOf(compared)).toEqual(['error-shapes']);
  expect(compared.unsaid).toEqual(['unanswered']);
});

test('a refusal says nothing of a record that an earlier request without an answer may have stored', async () => {
  const sent = transactions({ transactions: [charge({ transaction_id: 'LOST' })] });
  const { exchanges, ...others } = await recorded([], [sent, sent]);
  const answer = JSON.stringify({ status: 'TRANSACTION_IMPORT_ERROR', error_detail: 'it is there (unique)' });
  const [token, lost, again] = exchanges as [Exchange, Exchange, Exchange];
  const changed = [token, { ...lost, status: null, answer: null }, { ...again, status: 400, answer }];
  const { differences, unsaid } = await comparedRecording({ ...others, exchanges: changed }, twin([]));
  expect({ differences, unsaid }).toEqual({ differences: [], unsaid: ['unanswered', 'doubt'] });
});

test('a refusal without codes that is about a field of one record asks for no field that other records lack', async () => {
  const sent = notes({
    notes: [
      { ...NOTE, unpin_at: '2026-02-02T10:00:00Z' },
      { ...NOTE, body: 'y' },
    ],
  });
  const { exchanges, ...others } = await recorded([], [sent]);
  const answer = JSON.stringify({ notes: { 0: { unpin_at: ['no'] } } });
  const refused = exchanges.map((each) => (each.token ? each : { ...each, status: 400, answer }));
  const { differences } = await comparedRecording({ ...others, exchanges: refused }, twin([]));
  expect(differences).toMatchObject([{ rule: 'note-answer', shows: [{ kind: 'status' }] }]);
});

test('records that only one platform has after a difference are not compared again', async () => {
  const note = notes({ notes: [{ ...NOTE, is_pinned: undefined }] });
  const { exchanges, ...others } = await recorded(['require=notes.is_pinned'], [note]);
  const taken = await recorded([], [note]);
  const recording = { ...others, exchanges: [...exchanges, taken.exchanges.at(-1)!] };
  const { differences, unsaid } = await comparedRecording(recording, twin([]));
  expect(differences).toMatchObject([{ shows: [{ kind: 'status', items: 1 }] }]);
  expect(unsaid).toEqual(['parted']);
});

test.each([
  [{ own: 7 }, ['missing, body', 'missing, created_at', 'own, missing']],
  [{ own: 7, text: 'x' }, ['missing, created_at', 'own, missing', 'text, body']],
])('of several fields only one with the same value has another name: %j', async (fields, expected) => {
  const recording = await recorded([], [notes({ notes: [NOTE] })]);
  const answer = JSON.stringify([{ status: 'NOTE_CREATION_SUCCESS', ...fields }]);
  const exchanges = recording.exchanges.map((each) => (each.token ? each : { ...each, answer }));
  const { differences } = await comparedRecording({ ...recording, exchanges }, twin([]));
  const names = differences.flatMap(({ shows }) => shows.map((each) => `${each.recorded}, ${each.twin}`));
  expect(names.toSorted()).toEqual(expected);
});

describe('what the platform has already', () => {
  const one = (account: string): Sent =>
    transactions({ external_account_number: account, transactions: [charge({ transaction_id: 'ONE' })] });
  const altered = async (
    requests: readonly Sent[],
    at: number,
    change: Partial<Recording['exchanges'][0]>,
  ) => {
    const recording = await recorded([], requests);
    const exchanges = recording.exchanges.map((each, index) =>
      index === at ? { ...each, ...change } : each,
    );
    return comparedRecording({ ...recording, exchanges }, twin([]));
  };

  test('because its id was created on another account is one difference, which says so', async () => {
    const data = {
      ...charge({ transaction_id: 'ONE' }),
      note: 'of the other',
      status: 'TRANSACTION_IMPORT_SUCCESS',
    };
    const answer = JSON.stringify({
      results: [{ status: 'TRANSACTION_ALREADY_EXISTS', transaction_data: data }],
    });
    const { differences, unsaid } = await altered([one('1'), one('2')], 2, { answer });
    expect(unsaid).toEqual([]);
    expect(differences).toMatchObject([
      {
        rule: 'transaction-ids-of-platform',
        shows: [{ recorded: 'there already, because its id was created on another account', items: 1 }],
      },
    ]);
    const sent = (external_account_number: string): Sent =>
      statements({ external_account_number, statements: [statement({ statement_id: 'ONE' })] });
    const refused = {
      status: 400,
      answer:
        '{"detail":"x","code":"validation_error","errors":[{"detail":"x","code":"historical_statement_already_exists","attr":"statements.0.statement_id"}]}',
    };
    const ofStatements = await altered([sent('1'), sent('2')], 2, refused);
    expect(ofStatements.differences).toMatchObject([
      { rule: 'statement-identity', shows: [{ kind: 'identity' }] },
    ]);
  });

  test('after an answer that was lost is nothing that the twin can say', async () => {
    const sent = statements({ statements: [statement({ statement_id: 'L' })] });
    const recording = await recorded([], [sent, { ...sent }]);
    const answer =
      '{"detail":"x","code":"validation_error","errors":[{"detail":"x","code":"unique","attr":"statements.0.statement_id"}]}';
    const exchanges = recording.exchanges.map(
      (each, index) =>
        [each, { ...each, status: null, headers: {}, answer: null }, { ...each, answer }][index]!,
    );
    const { differences, unsaid } = await comparedRecording({ ...recording, exchanges }, twin([]));
    expect({ differences, unsaid }).toEqual({ differences: [], unsaid: ['unanswered', 'doubt'] });
  });
});
