import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alteringProxy, parsed, type Alteration, type PassingExchange } from '../support/altering-proxy.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { migration, type Migration } from '../support/migration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SEED = `
version: 1
api_keys: [{key: local-key}]
suppliers:
  - {code: ACME, name: Acme Energy, status: Ongoing, documents: [known.pdf]}
  - {code: PAUSED, name: Paused Energy, status: Paused}
  - {code: NOBODY, name: Nobody Energy, status: Ongoing}
vendors: [{code: STRIPE, instructions: [{reference: pi_1000, type: CARD}]}]
product_codes: [FLEX-12]
accounts:
  - {import_supplier: ACME, external_account_number: "100100", state: imported, open_statement: {from: 2026-01-01, to: 2026-12-31}}
  - {import_supplier: ACME, external_account_number: "100200", state: imported}
  - {import_supplier: ACME, external_account_number: "100300", state: staged}
  - {import_supplier: PAUSED, external_account_number: "200100", state: imported}
`;

const ACCOUNT = 'import_supplier,external_account_number';
const NOTES = `${ACCOUNT},created_at,body`;
const TRANSACTIONS = `${ACCOUNT},transaction_id,transaction_date,type,amount,reason`;
const CHARGES = `${ACCOUNT},transaction_id,transaction_date,type,amount,product_code,line_items.0.start_date,line_items.0.end_date,line_items.0.number_of_units,line_items.0.net_amount`;
const STATEMENTS = `${ACCOUNT},statement_id,bill_period_from_date,bill_period_to_date,gross_amount,statement_path`;
const INSTRUCTIONS = `${ACCOUNT},vendor,reference,type`;

/** A command of a pilot, and rows in the file that it pushes. */
type Step = readonly string[] | { readonly pushed: readonly string[]; readonly rows?: readonly string[] };

const PLAIN_ROWS = [
  TRANSACTIONS,
  'ACME,100100,TX-5001,2026-02-01,CREDIT,10.10,GOODWILL',
  'ACME,100100,TX-5002,2026-02-02,CHARGE,1234.00,GOODWILL',
  'ACME,100200,TX-5003,2026-02-02,PAYMENT,77.50,GOODWILL',
];
const PLAIN_STEP: Step = { pushed: ['transactions', 't.csv'], rows: PLAIN_ROWS };
const REPEATED_STEP: Step = { pushed: ['transactions', 't.csv', '--again'] };
const CHARGE_STEP = {
  pushed: ['transactions', 'c.csv'],
  rows: [
    CHARGES,
    'ACME,100200,TX-6001,2026-02-03,SUPPLY_CHARGE,12.40,FLEX-12,2026-01-01,2026-01-31,4,12.40',
    'ACME,100200,TX-6002,2026-02-03,SUPPLY_CHARGE,12.40,OTHER,2026-01-01,2026-01-31,4,12.40',
  ],
} satisfies Step;
const TRANSACTION_STEPS: readonly Step[] = [PLAIN_STEP, REPEATED_STEP, CHARGE_STEP];
const STATEMENT_STEP: Step = {
  pushed: ['statements', 's.csv'],
  rows: [
    STATEMENTS,
    'ACME,100100,ST-7001,2026-01-01,2026-01-31,12345,known.pdf',
    'ACME,100200,ST-7002,2026-01-01,2026-01-31,99,lost.pdf',
  ],
};
const AGAIN_STEP: Step = { pushed: ['statements', 's.csv', '--again'] };
const NOTES_STEP: Step = {
  pushed: ['notes', 'n.csv'],
  rows: [
    NOTES,
    'ACME,100100,2026-02-01T10:00:00Z,The first note',
    'ACME,100100,2026-02-02T10:00:00Z,The second note',
    'ACME,100200,2026-02-01T10:00:00Z," A note with blanks "',
    'ACME,999999,2026-02-01T10:00:00Z,Missing',
  ],
};
const SUPPLIER_STEPS: readonly Step[] = [
  {
    pushed: ['notes', 'paused.csv', '--supplier', 'PAUSED'],
    rows: [NOTES, 'PAUSED,200100,2026-02-01T10:00:00Z,Paused'],
  },
  {
    pushed: ['notes', 'unknown.csv', '--supplier', 'UNKNOWN'],
    rows: [NOTES, 'UNKNOWN,200100,2026-02-01T10:00:00Z,Unknown'],
  },
];
const INSTRUCTION_STEP: Step = {
  pushed: ['payment-instructions', 'i.csv'],
  rows: [INSTRUCTIONS, 'ACME,100100,STRIPE,pi_1000,CARD'],
};
const [LISTED, NOBODY, KNOWN, MISSING] = [
  ['accounts'],
  ['accounts', '--supplier', 'NOBODY'],
  ['status', '100100'],
  ['status', '999999'],
] as const;
const WHOLE: readonly Step[] = [
  ['auth'],
  LISTED,
  NOBODY,
  KNOWN,
  MISSING,
  NOTES_STEP,
  ...SUPPLIER_STEPS,
  ...TRANSACTION_STEPS,
  STATEMENT_STEP,
  AGAIN_STEP,
  INSTRUCTION_STEP,
];

interface Recorded {
  readonly steps?: readonly Step[];
  readonly settings?: Record<string, string> | undefined;
  readonly faults?: readonly string[];
}

/** Records a pilot on a platform behind a proxy, and compares it with the local platform. */
async function pilot(alteration: Alteration, { steps = WHOLE, settings, faults = [] }: Recorded = {}) {
  const site = await migration(SEED);
  await site.faults(...faults);
  const env = {
    DATAIMPORT_BASE_URL: await alteringProxy(site.url, alteration),
    DATAIMPORT_SUPPLIER: 'ACME',
    ...settings,
  };
  // One command of each kind asks for a token, which is enough of them.
  const token = await site.token();
  const kinds = new Set<string>();
  const cli = (...words: readonly string[]) => {
    const own = kinds.has(words[0]!) && !words.includes('--again') ? { DATAIMPORT_TOKEN: token } : {};
    kinds.add(words[0]!);
    const world = { env: { ...env, ...own }, chance: 0.5, maxWaits: 50 };
    return site.cliIn(world, ...words, '--record', 'pilot.jsonl');
  };
  for (const step of steps) {
    if (!('pushed' in step)) {
      await cli(...step);
      continue;
    }
    const [, name] = step.pushed;
    if (step.rows) site.csv(name!, ...step.rows);
    await cli(
      'push',
      ...step.pushed,
      '--on-reject',
      'skip',
      '--retry-for',
      '5s',
      '--run-dir',
      `runs-${name}`,
    );
  }
  return { ...site, compare: comparedBy(site.cli) };
}

/** Compares a pilot with the local platform. */
const comparedBy =
  (cli: Migration['cli']) =>
  async (...flags: readonly string[]) => {
    const { exitCode, stderr, stdout } = await cli(
      'parity',
      'pilot.jsonl',
      '--seed',
      'seed.yaml',
      '--json',
      ...flags,
    );
    expect(stderr).toBe('');
    return { exitCode, ...(JSON.parse(stdout) as ComparedDocument) };
  };

interface ComparedDocument {
  readonly exchanges: number;
  readonly endpoints: readonly { endpoint: string; same: number; twin_cannot_say: number }[];
  readonly cannot_say: readonly { reason: string }[];
  readonly differences: readonly {
    rule: string;
    shows: readonly {
      id: string;
      endpoints: readonly string[];
      kind: string;
      count: number;
      items: number;
    }[];
  }[];
}

const showsIn = ({ differences }: ComparedDocument) => differences.flatMap(({ shows }) => shows);

type Fields = Record<string, unknown>;
const is = (path: RegExp, status?: number) => (exchange: PassingExchange) =>
  path.test(exchange.path) && (status === undefined || exchange.status === status);
const [NOTE, TRANSACTION, STATEMENT, INSTRUCTION, LIST, STATUS, TOKEN] = [
  /notes/,
  /transactions/,
  /statements/,
  /payment-instruction/,
  /import-processes/,
  /transfer-status/,
  /graphql/,
] as const;

/** Changes an answer where it fits. */
const answer = (
  path: RegExp,
  status: number | undefined,
  change: (exchange: PassingExchange) => void,
): Alteration => ({
  after: (exchange) => {
    if (is(path, status)(exchange)) change(exchange);
  },
});

/** Changes every text of an answer. */
const replaced =
  (from: RegExp | string, to: string) =>
  (exchange: PassingExchange): void => {
    exchange.body = parsed(JSON.stringify(exchange.body).replaceAll(from, to));
  };

const results = ({ body }: PassingExchange): Fields[] => (body as { results: Fields[] }).results;

/** Trims every text of a request, as some platforms do. */
function trimmed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    typeof inner === 'string' ? inner.trim() : inner,
  );
}

interface Planted {
  readonly what: string;
  /** Differences that do not hide each other are planted in one pilot. */
  readonly pilot: number;
  readonly plant: Alteration;
  /** Endpoint and kind of the difference. */
  readonly found: string;
  readonly rule: string;
  readonly settings?: Record<string, string>;
}

const PLANTED: readonly Planted[] = [
  {
    what: 'statements get 200',
    pilot: 1,
    plant: answer(STATEMENT, 201, (x) => void (x.status = 200)),
    found: 'statements status',
    rule: 'statement-status',
  },
  {
    what: 'a refusal mirrors the request',
    pilot: 2,
    plant: answer(STATEMENT, 400, (x) => void (x.body = { statements: { 0: { statement_path: ['no'] } } })),
    found: 'statements name',
    rule: 'error-shapes',
  },
  {
    what: 'a statement that exists is accepted',
    pilot: 3,
    plant: answer(STATEMENT, 400, (x) => {
      if (!JSON.stringify(x.body).includes('already_exists')) return;
      [x.status, x.body] = [201, (x.sent as { statements: unknown[] }).statements];
    }),
    found: 'statements status',
    rule: 'statements-are-new',
  },
  {
    what: 'the account number has another name',
    pilot: 2,
    plant: { after: replaced('"platform_account_number"', '"retailer_account_number"') },
    found: 'lists name',
    rule: 'account-number-name',
  },
  {
    what: 'notes are answered in another order',
    pilot: 1,
    plant: answer(NOTE, 201, (x) => void (x.body as unknown[]).reverse()),
    found: 'notes order',
    rule: 'note-answer',
  },
  {
    what: 'transactions are answered in another order',
    pilot: 1,
    plant: answer(TRANSACTION, 201, (x) => void results(x).reverse()),
    found: 'transactions order',
    rule: 'transaction-answer',
  },
  {
    what: 'a list ends after one account',
    pilot: 1,
    plant: answer(LIST, 200, (x) => void (x.body as unknown[]).splice(1)),
    found: 'lists count',
    rule: 'lists-are-whole',
  },
  {
    what: 'an added transaction has another word',
    pilot: 2,
    plant: answer(TRANSACTION, 201, replaced('TRANSACTION_ADDED_TO_ACCOUNT', 'TRANSACTION_CREATED')),
    found: 'transactions word',
    rule: 'transaction-identity',
  },
  {
    what: 'a second answer says that the transaction was added',
    pilot: 3,
    plant: answer(TRANSACTION, 201, replaced('TRANSACTION_ALREADY_EXISTS', 'TRANSACTION_ADDED_TO_ACCOUNT')),
    found: 'transactions word',
    rule: 'transaction-identity',
  },
  {
    what: 'amounts are numbers',
    pilot: 2,
    plant: answer(TRANSACTION, 201, replaced(/"amount":"([\d.]+)"/g, '"amount":$1')),
    found: 'transactions form',
    rule: 'amounts-as-text',
  },
  {
    what: 'times have an offset',
    pilot: 2,
    plant: answer(NOTE, 201, replaced(/(:\d\d)Z"/g, '$1+00:00"')),
    found: 'notes form',
    rule: 'dates-and-times',
  },
  {
    what: 'texts are trimmed',
    pilot: 4,
    plant: { before: (x) => void (x.method === 'POST' && (x.sent = trimmed(x.sent))) },
    found: 'notes value',
    rule: 'texts-are-trimmed',
  },
  {
    what: 'a date is moved',
    pilot: 4,
    plant: answer(
      TRANSACTION,
      201,
      replaced('"transaction_date":"2026-02-01"', '"transaction_date":"2026-02-15"'),
    ),
    found: 'transactions value',
    rule: 'move-into-open-statement',
  },
  {
    what: 'a refusal has another code',
    pilot: 4,
    plant: answer(STATEMENT, 400, replaced('path_does_not_exist_in_file_store', 'no_such_file')),
    found: 'statements code',
    rule: 'documents-in-file-store',
  },
  {
    what: 'a refusal writes places in brackets',
    pilot: 1,
    plant: answer(STATEMENT, 400, replaced(/"attr":"statements\.0\./g, '"attr":"statements[0].')),
    found: 'statements attr',
    rule: 'validation-error',
  },
  {
    what: 'answers count down the requests that are left',
    pilot: 2,
    plant: answer(NOTE, undefined, (x) => void (x.headers = { ...x.headers, 'x-ratelimit-remaining': '99' })),
    found: 'notes header',
    rule: 'rate-limits',
  },
  {
    what: 'a refusal has a media type of its own',
    pilot: 3,
    plant: answer(
      NOTE,
      404,
      (x) => void (x.headers = { ...x.headers, 'content-type': 'application/problem+json' }),
    ),
    found: 'notes header',
    rule: 'media-type',
  },
  {
    what: 'a missing status is a page',
    pilot: 2,
    plant: answer(STATUS, 404, (x) => void (x.body = '<h1>Not Found</h1>')),
    found: 'status form',
    rule: 'error-shapes',
  },
  {
    what: 'a token comes without its payload',
    pilot: 1,
    plant: answer(TOKEN, 200, replaced(/,"payload":\{[^}]*\}/g, '')),
    found: 'token name',
    rule: 'token-mutation-form',
  },
  {
    what: 'an imported account has another word',
    pilot: 1,
    plant: answer(STATUS, 200, replaced('COMPLETED', 'DONE')),
    found: 'status word',
    rule: 'import-status',
  },
  {
    what: 'an instruction is answered without its reference',
    pilot: 1,
    plant: answer(INSTRUCTION, 201, (x) => delete (x.body as Fields)['reference']),
    found: 'payment-instructions name',
    rule: 'instruction-answer',
  },
  {
    what: 'a statement is answered with a number of its own',
    pilot: 1,
    plant: answer(
      STATEMENT,
      undefined,
      (x) =>
        void (x.body = JSON.parse(
          JSON.stringify(x.body).replace('"statement_id"', '"own_id":1,"statement_id"'),
        ) as unknown),
    ),
    found: 'statements name',
    rule: 'statement-answer',
  },
  {
    what: 'a transaction needs a note, and others are taken without one',
    pilot: 4,
    plant: {
      before: (x) => {
        if (!JSON.stringify(x.sent).includes('TX-5003')) return false;
        x.status = 400;
        x.body = {
          detail: 'Validation failed',
          code: 'validation_error',
          errors: [{ detail: 'missing', code: 'required', attr: 'transactions.0.note' }],
        };
        return true;
      },
    },
    found: 'transactions status',
    rule: 'further-required-fields',
  },
  {
    what: 'a refused transaction has another code',
    pilot: 4,
    plant: answer(TRANSACTION, 400, replaced('product_code_does_not_exist', 'product_not_allowed')),
    found: 'transactions code',
    rule: 'product-code-exists',
  },
];

/** Of each pilot the commands whose answers its differences change. */
const STEPS_OF: Readonly<Record<number, readonly Step[]>> = {
  1: [LISTED, NOBODY, KNOWN, NOTES_STEP, ...SUPPLIER_STEPS, PLAIN_STEP, STATEMENT_STEP, INSTRUCTION_STEP],
  2: [LISTED, MISSING, NOTES_STEP, PLAIN_STEP, STATEMENT_STEP],
  3: [NOTES_STEP, PLAIN_STEP, REPEATED_STEP, STATEMENT_STEP, AGAIN_STEP],
  4: [NOTES_STEP, PLAIN_STEP, CHARGE_STEP, STATEMENT_STEP],
};

/** Pilots that several tests compare, by what the platform changes. */
const SHARED = {
  nothing: {},
  'statements get 200': {
    alteration: answer(STATEMENT, 201, (x) => void (x.status = 200)),
    steps: [STATEMENT_STEP],
  },
} satisfies Record<string, Recorded & { alteration?: Alteration }>;
const FILES = ['seed.yaml', 'pilot.jsonl', 'pilot.jsonl.key'];
const recorded = new Map<keyof typeof SHARED, Promise<readonly Buffer[]>>();

async function recordedPilot({ alteration = {}, ...given }: Recorded & { alteration?: Alteration }) {
  return (await pilot(alteration, given)).cwd;
}

/** A copy of a pilot, which is recorded once. */
async function copyOfPilot(name: keyof typeof SHARED) {
  const files =
    recorded.get(name) ??
    recordedPilot(SHARED[name]).then((folder) => FILES.map((file) => readFileSync(join(folder, file))));
  recorded.set(name, files);
  const cwd = temporaryFolder();
  for (const [index, content] of (await files).entries())
    writeFileSync(join(cwd, FILES[index]!), content, { mode: 0o600 });
  const cli: Migration['cli'] = (...argv) => runCli(argv, fakeIo({ cwd, nowMs: Date.UTC(2026, 10, 21) }));
  return { cwd, cli, compare: comparedBy(cli) };
}

describe('a recorded pilot', () => {
  test('of an unchanged platform differs in nothing', async () => {
    const { compare } = await copyOfPilot('nothing');
    const { exitCode, exchanges, differences } = await compare();
    expect(differences).toEqual([]);
    expect(exchanges).toBeGreaterThan(30);
    expect(exitCode).toBe(0);
  });

  test('of an unchanged platform differs in nothing, although answers were lost', async () => {
    const lost = ['notes', 'transactions', 'statements', 'payment-instructions'].map(
      (resource) => `${resource} after-commit reset nth=1`,
    );
    const refused = 'transactions accept status=401 attempt=2 times=1';
    const { compare } = await pilot({}, { faults: [...lost, refused, 'records accept status=503 nth=2'] });
    const { differences, endpoints, cannot_say: reasons } = await compare();
    expect(differences).toEqual([]);
    expect(reasons.map(({ reason }) => reason).toSorted()).toEqual([
      'the platform was busy or broken',
      'the recording has no answer',
    ]);
    expect(endpoints.every((each) => each.same > 0)).toBe(true);
    expect(endpoints.filter((each) => each.twin_cannot_say > 0).length).toBeGreaterThanOrEqual(4);
  });

  test('of an unchanged platform differs in nothing, although a request failed in its middle', async () => {
    const faults = [
      'transactions before-commit prefix=1 nth=1',
      'transactions accept status=401 attempt=2 times=1',
    ];
    const { compare } = await pilot({}, { steps: TRANSACTION_STEPS, faults });
    const { differences, endpoints } = await compare();
    expect(differences).toEqual([]);
    expect(endpoints.find(({ endpoint }) => endpoint === 'transactions')).toMatchObject({
      twin_cannot_say: 2,
    });
  });

  test('of an unchanged platform differs in nothing, although the process was killed before an answer', async () => {
    const faults = ['transactions after-commit reset nth=1'];
    const { compare, cwd } = await pilot({}, { steps: TRANSACTION_STEPS, faults });
    const file = join(cwd, 'pilot.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    // The request has left, and the platform has applied it.
    const killed = lines.filter((line) => !line.includes('"status":null'));
    expect(killed).toHaveLength(lines.length - 1);
    writeFileSync(file, killed.join('\n'));
    const whole = await compare();
    expect(whole).toMatchObject({ exitCode: 0, differences: [] });
    // Without the line of the request the local platform does not know its records.
    const [, answered] = /"answers":"([^"]*)"/.exec(lines.find((line) => line.includes('"status":null'))!)!;
    writeFileSync(file, killed.filter((line) => !line.includes(`"request":"${answered}"`)).join('\n'));
    const without = await compare();
    const same = ({ endpoints }: ComparedDocument): number =>
      endpoints.find(({ endpoint }) => endpoint === 'transactions')!.same;
    expect(same(without)).toBe(same(whole) - 1);
  });

  test.each([...Map.groupBy(PLANTED, (planted) => planted.pilot)])(
    'of a changed platform shows every planted difference with its rule: pilot %i',
    async (number, planted) => {
      const { compare } = await pilot(
        {
          before: (x) => planted.map(({ plant }) => plant.before?.(x) === true).includes(true),
          after: (x) => {
            for (const { plant } of planted) plant.after?.(x);
          },
        },
        { steps: STEPS_OF[number]!, settings: planted.find(({ settings }) => settings)?.settings },
      );
      const { exitCode, differences } = await compare();
      const all = differences.flatMap(({ rule, shows }) =>
        shows.map((each) => `${each.endpoints.join()} ${each.kind} | ${rule}`),
      );
      for (const { what, found, rule } of planted) expect(all, what).toContain(`${found} | ${rule}`);
      expect(exitCode).toBe(1);
    },
  );
});

test.each([
  ['refused among others once more', CHARGE_STEP.rows, 'failing-transaction'],
  ['taken alone since', CHARGE_STEP.rows.slice(0, 2), 'transaction-identity'],
])('a second answer about a transaction that was %s is about its rule', async (_, rows, rule) => {
  const added = replaced('TRANSACTION_ALREADY_EXISTS', 'TRANSACTION_ADDED_TO_ACCOUNT');
  const next: Step = { pushed: ['transactions', 'next.csv'], rows };
  const { compare } = await pilot(answer(TRANSACTION, 201, added), { steps: [CHARGE_STEP, next] });
  const { differences } = await compare();
  expect(differences.map((each) => each.rule)).toEqual([rule]);
});

test('an answer counts once, however many items of it differ, and a header counts once for all endpoints', async () => {
  const { compare, cli } = await pilot(
    {
      after(x) {
        replaced('NOTE_CREATION_SUCCESS', 'DONE')(x);
        x.headers = { ...x.headers, 'x-ratelimit-remaining': '99' };
      },
    },
    { steps: [LISTED, KNOWN, NOTES_STEP, PLAIN_STEP, STATEMENT_STEP, INSTRUCTION_STEP] },
  );
  const compared = await compare();
  const { exchanges } = compared;
  const others = showsIn(compared);
  expect(others.map(({ kind, count, items }) => [kind, count, items])).toEqual([
    ['header', exchanges, exchanges],
    ['word', 2, 3],
  ]);
  expect(others[0]!.endpoints).toContain('notes');
  expect(others[0]!.endpoints.length).toBeGreaterThan(5);
  const { stdout } = await cli('parity', 'pilot.jsonl', '--seed', 'seed.yaml');
  expect(stdout).toMatch(/\n {2}header at x-ratelimit-remaining: n, twin missing; \d+ exchanges, the first/);
  expect(stdout).toMatch(/; 2 exchanges, the first is number \d+, 3 items in them\n/);
});

test('a recording of which nothing can be compared is not the same, and neither is an endpoint of it', async () => {
  const { cli, cwd } = await copyOfPilot('nothing');
  const path = join(cwd, 'pilot.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const parity = async (kept: readonly string[]) => {
    writeFileSync(path, kept.join('\n'));
    return cli('parity', 'pilot.jsonl', '--seed', 'seed.yaml');
  };
  const tokens = await parity(lines.slice(0, 3));
  expect(tokens).toMatchObject({ exitCode: 1 });
  expect(tokens.stdout).toMatch(/\nnothing was compared but tokens\n$/);
  const whole = lines.slice(0, 6).join('\n');
  const cut = await parity([`${whole.slice(0, whole.indexOf(lines[3]!) + 40)}`]);
  expect(cut).toMatchObject({ exitCode: 1 });
  expect(cut.stdout).toMatch(/^warning: line 4 of pilot.jsonl ends in its middle/);
  const unanswered = await parity(lines.filter((line) => !line.includes('"answers"')));
  expect(unanswered).toMatchObject({ exitCode: 1 });
  expect(unanswered.stdout).toMatch(/\nnothing was compared; \d+ exchanges could not be compared\n$/);
  const ofInstructions = lines
    .filter((line) => line.includes('/payment-instruction/'))
    .map((line) => `"answers":"${(JSON.parse(line) as { request: string }).request}"`);
  const partly = await parity(lines.filter((line) => !ofInstructions.some((name) => line.includes(name))));
  expect(partly).toMatchObject({ exitCode: 1 });
  expect(partly.stdout).toMatch(/could not be compared, among them all of payment-instructions\n$/);
});

test('a recording whose key is missing, or that of another one, is compared only with a seed that has its names', async () => {
  const { cli, cwd } = await copyOfPilot('nothing');
  const key = join(cwd, 'pilot.jsonl.key');
  const parity = async (seed = 'seed.yaml') => {
    const { exitCode, stdout, stderr } = await cli(
      'parity',
      'pilot.jsonl',
      '--seed',
      seed,
      '--behaviour',
      'max-items=9000',
    );
    return { exitCode, stdout, stderr };
  };
  const right = readFileSync(key, 'utf8');
  const says = 'the disguise of pilot.jsonl needs the key that was written with it as pilot.jsonl.key';
  for (const change of [() => rmSync(key), () => writeFileSync(key, `${'0'.repeat(64)}\n`)]) {
    change();
    const { exitCode, stdout, stderr } = await parity();
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`: ${says}\nnext: Put the key beside the recording, or give a seed`);
  }
  // Somebody who has the names of the recording can compare it all the same.
  const exchanges = readFileSync(join(cwd, 'pilot.jsonl'), 'utf8');
  const found = [...exchanges.matchAll(/external_account_number\\":\\"(\w+)\\"/g)].map(([, name]) => name!);
  const [account, ...others] = new Set(found);
  const more = others.map(
    (name) => `  - {import_supplier: ACME, external_account_number: "${name}", state: imported}\n`,
  );
  const alone = SEED.replaceAll(/^.*"(?:100200|100300|200100)".*\n/gm, '');
  const [, supplier] = /import_supplier\\":\\"(\w+)\\"/.exec(exchanges)!;
  const named = alone.replace('"100100"', `"${account}"`) + more.join('');
  writeFileSync(join(cwd, 'named.yaml'), named.replaceAll('ACME', supplier!));
  expect((await parity('named.yaml')).stdout).toMatch(/\n\d+ differences; /);
  writeFileSync(key, right);
  const same = await parity();
  expect(same).toMatchObject({ exitCode: 0 });
  expect(same.stdout).toContain(', played to a local platform with --behaviour max-items=9000\n');
});

test('the rule of a difference names a key of --behaviour, and with it nothing differs', async () => {
  const { cli } = await copyOfPilot('statements get 200');
  const words = ['parity', 'pilot.jsonl', '--seed', 'seed.yaml'];
  const { stdout } = await cli(...words);
  expect(stdout).toContain('With --behaviour statements-status=200 it is the other status');
  expect(stdout).toContain('\nnext: give the `--behaviour` that a rule names to this command');
  const again = await cli(...words, '--behaviour', 'statements-status=200');
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stdout).not.toContain('next:');
});

test('nothing can be said of records that the platform had before the recording', async () => {
  const { cli, cwd } = await copyOfPilot('nothing');
  const file = join(cwd, 'pilot.jsonl');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const exchanges = lines.map(
    (line) => JSON.parse(line) as { request?: string; path?: string; answers?: string; status?: number },
  );
  // Of each resource the first exchange, which stored its records, is missing.
  const first = ['transactions', 'statements'].map(
    (resource) =>
      exchanges.find(
        ({ path, request }) =>
          path?.includes(resource) &&
          exchanges.some(({ answers, status }) => answers === request && status === 201),
      )!.request!,
  );
  writeFileSync(file, lines.filter((line) => !first.some((name) => line.includes(`"${name}"`))).join('\n'));
  const { exitCode, stdout } = await cli('parity', 'pilot.jsonl', '--seed', 'seed.yaml');
  expect(stdout).toContain(
    'twin cannot say: 2 exchanges: the platform had a record that no earlier answer of the recording names\n',
  );
  expect(stdout).toMatch(
    /\nthe local platform answers \d+ exchanges as the recorded one did; 2 exchanges could not be compared\n$/,
  );
  expect(exitCode).toBe(0);
});
