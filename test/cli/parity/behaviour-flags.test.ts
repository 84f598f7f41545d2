import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import {
  behaviourOf,
  changedBehaviour,
  declareBehaviour,
  type BehaviourFlags,
} from '../../../src/cli/parity/behaviour-flags.ts';
import { BEHAVIOUR_CHOICES, BEHAVIOUR_DEFAULTS } from '../../../src/server/options/behaviour.ts';
import { startServer } from '../../../src/server/start.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import { documentBlocks } from '../../support/document-blocks.ts';
import { ledgerOf } from '../../support/ledger.ts';
import { migration } from '../../support/migration.ts';
import { seedFile } from '../../support/server-platform.ts';

function flagsOf(...argv: readonly string[]) {
  const command = declareBehaviour(
    new Command('serve').exitOverride().configureOutput({ writeErr: () => {} }),
  );
  command.parse(argv, { from: 'user' });
  return command.opts<BehaviourFlags>();
}

/** The options of `startServer` for a command line. */
const optionsOf = (...argv: readonly string[]) => behaviourOf(flagsOf(...argv));

test.each([
  { argv: [], told: [] },
  {
    argv: [
      '--strict',
      '--rule',
      'missing_transaction_id',
      '--tx-400',
      'prefix',
      '--statements-status',
      '200',
    ],
    told: ['--tx-400 prefix', '--statements-status 200', '--strict', '--rule missing_transaction_id'],
  },
  { argv: ['--lenient', '--error-shape', 'nested'], told: ['--error-shape nested', '--lenient'] },
  {
    argv: ['--token-ttl', '30m', '--max-items', '500', '--body-limit', '1000'],
    told: ['--body-limit 1000', '--max-items 500', '--token-ttl 1800s'],
  },
])('whoever starts it with $argv is told $told', ({ argv, told }) => {
  expect(changedBehaviour(flagsOf(...argv))).toEqual(told);
});

test('the server decides the limits unless flags give them', () => {
  expect(optionsOf('--body-limit', '1000', '--max-items', '5')).toMatchObject({
    bodyLimitBytes: 1000,
    maxItems: 5,
  });
});

test.each([
  [['--error-shape', 'flat']],
  [['--tx-400', 'suffix']],
  [['--statements-status', '204']],
  [['--unknown-supplier-status', '403']],
  [['--rule', 'no_such_code']],
  [['--max-items', '0']],
  [['--body-limit', '1e6']],
])('%s is refused before anything is opened', async (argv) => {
  const { exitCode, stderr } = await runCli(['serve', '--db', ':memory:', ...argv], fakeIo());
  expect({ exitCode, named: stderr.includes(argv[0]!) }).toEqual({ exitCode: 2, named: true });
});

test('docs/serve-reference.md, "Options": its command lines are accepted', () => {
  const [block] = documentBlocks('docs/serve-reference.md', 'sh').filter(({ title }) => title === 'options');
  const lines = block!.text.trim().split('\n');
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    const { behaviour } = optionsOf(...line.split(' ').slice(2));
    expect(behaviour).not.toEqual(BEHAVIOUR_DEFAULTS);
  }
});

test.each(BEHAVIOUR_CHOICES.errorShape)(
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
      behaviour: { errorShape },
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
