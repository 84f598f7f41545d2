import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { declareBehaviour, type BehaviourFlags } from '../../../src/cli/parity/behaviour-flags.ts';
import { behaviourIn } from '../../../src/server/options/behaviour.ts';
import { startServer } from '../../../src/server/start.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { documentBlocks } from '../../support/document-blocks.ts';
import { ledgerOf } from '../../support/ledger.ts';
import { migration } from '../../support/migration.ts';
import { ACCOUNT, seedFile, startPlatform, statement } from '../../support/server-platform.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const SEED = {
  api_keys: [{ key: 'k' }],
  suppliers: [{ code: 'ACME', name: 'Acme', status: 'Ongoing' as const }],
  accounts: [{ ...ACCOUNT, state: 'imported' as const }],
};

/** The options of `startServer` for a command line. */
function optionsOf(...argv: readonly string[]) {
  const command = declareBehaviour(
    new Command('serve').exitOverride().configureOutput({ writeErr: () => {} }),
  );
  command.parse(argv, { from: 'user' });
  return behaviourIn(command.opts<BehaviourFlags>().behaviour ?? []);
}

test.each([
  ['error-shape=flat', 'it must be error-shape=documented|nested|non_field'],
  ['tx-400', 'it must be tx-400=atomic|prefix'],
  ['statements-status=204', 'statements-status=200|201'],
  ['rule=no_such_code', 'it must be rule=import_process_does_not_exist|'],
  ['max-items=0', 'it must be max-items=N'],
  ['token-ttl=1500ms', 'it must be token-ttl=DURATION'],
  ['body-limit=1e6', 'it must be body-limit=N'],
  ['strict=yes', 'strict takes no value'],
  ['lenien', 'there is no such key; did you mean lenient?'],
  ['require=notes.nothing', 'it must be require=FIELD'],
])('%s is refused before anything is opened', async (text, reason) => {
  const { exitCode, stderr } = await runCli(['serve', '--db', ':memory:', '--behaviour', text], fakeIo());
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(reason) as string });
});

test.each(['--error-shape', '--tx-400', '--strict', '--rule', '--max-items', '--token-path', '--token-ttl'])(
  '%s says what does it now',
  async (flag) => {
    const { exitCode, stderr } = await runCli(['serve', flag, 'x'], fakeIo());
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(
        `there is no ${flag} any more: \`--behaviour ${flag.slice(2)}`,
      ) as string,
    });
  },
);

test('a seed decides, too, and a flag goes before it', async () => {
  const seed = { behaviour: ['statements-status=200', 'max-items=1'] };
  const status = async (behaviour: Parameters<typeof startPlatform>[0] = {}) => {
    const { post } = await startPlatform({ seeds: [{ ...SEED, ...seed }], ...behaviour });
    const [one, two] = ['a', 'b'].map((statement_id) => statement({ statement_id }));
    const sent = await post('createStatements', { ...ACCOUNT, statements: [one] }, { apiKey: 'k' });
    const many = await post('createStatements', { ...ACCOUNT, statements: [one, two] }, { apiKey: 'k' });
    return [sent.status, many.body.errors[0].code];
  };
  expect(await status()).toEqual([200, 'max_length']);
  expect(await status({ behaviour: ['statements-status=201'] })).toEqual([201, 'max_length']);
  const file = seedFile('version: 1\nbehaviour: [strict, tx-400=suffix]');
  const { stderr } = await runCli(['serve', '--seed', file, '--db', ':memory:'], fakeIo());
  expect(stderr).toContain('seed.yaml:2:21 error seed_invalid');
  expect(stderr).toContain('behaviour[1]: it must be tx-400=atomic|prefix');
  const { url } = await startPlatform();
  const asked = await fetch(`${url}/_local/seed`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(seed),
  });
  expect(await asked.json()).toMatchObject({ code: 'seed_invalid' });
});

test('docs/serve-reference.md, "Options": its command lines are accepted', () => {
  const [block] = documentBlocks('docs/serve-reference.md', 'sh').filter(({ title }) => title === 'options');
  const lines = block!.text.trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    expect(optionsOf(...line.split(' ').slice(2))).not.toEqual({});
  }
});

test.each(['documented', 'nested', 'non_field'])(
  'a push finds the refused row in a 400 of the shape %s',
  async (errorShape) => {
    const seed = `version: 1
api_keys: [{ key: k }]
suppliers: [{ code: ACME, name: Acme, status: Ongoing, documents: [a.pdf] }]
accounts: [{ import_supplier: ACME, external_account_number: '1', state: imported }]
`;
    const server = await startServer({
      database: ':memory:',
      seeds: [seedFile(seed)],
      version: '0.0.0',
      nowMs: () => Date.UTC(2026, 10, 21),
      behaviour: [`error-shape=${errorShape}`],
    });
    onTestFinished(() => server.close());
    const { csv, cliIn } = await migration(seed);
    const env = { DATAIMPORT_BASE_URL: server.url };
    const file = csv(
      'statements.csv',
      'import_supplier,external_account_number,statement_id,bill_period_from_date,bill_period_to_date,statement_path',
      'ACME,1,S-1,2026-01-01,2026-01-31,a.pdf',
      'ACME,1,S-2,2026-02-01,2026-02-28,b.pdf',
    );
    const { exitCode, json } = await cliIn({ env }, 'push', 'statements', file, '--json');
    const { problems } = json() as { problems: readonly { line: number }[] };
    const stored = (await ledgerOf(server.url)).map(({ data }) => data['statement_id']);
    // A list of texts names no record, so the problem of the whole request is at its first row.
    const line = errorShape === 'non_field' ? 2 : 3;
    expect(stored).toEqual([]);
    expect({ exitCode, lines: problems.map((problem) => problem.line) }).toEqual({
      exitCode: 4,
      lines: [line],
    });
  },
);
