import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../src/server/start.ts';
import { fakeIo, runCli } from './cli-io.ts';
import { chainChecker, type ChainedRun } from './flipped-run.ts';
import { journalOf } from './journals.ts';
import { projectRoot } from './source-tree.ts';

const MAPPING = `version: 1
resource: transactions
fields:
  import_supplier: { constant: ACME }
  external_account_number: Account
  transaction_id: Id
  transaction_date: Day
  type: Kind
  amount: Amount
  reason: { constant: IMPORTED_CREDIT }
`;

const HEADER = 'Account,Id,Day,Kind,Amount\n';

const SEED = `version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
accounts:
`;

/** Those of the two readings, and of the request of the other file. */
const LINKS_BEFORE = 3;

/**
 * Files in a folder that are pushed with a mapping and a contract to a local platform, in one request for each account. Another file with
 * an invalid row was pushed before, so the journal has two readings.
 */
export async function chained(cwd: string, count = 20): Promise<ChainedRun> {
  const accounts = Array.from({ length: count }, (_, index) => String(1001 + index));
  const seed = join(cwd, 'seed.yaml');
  const of = (account: string): string =>
    `  - {import_supplier: ACME, external_account_number: "${account}", state: imported}\n`;
  writeFileSync(seed, SEED + accounts.map(of).join(''));
  const rows = accounts.flatMap((account) =>
    [1, 2, 3].map((number) => `${account},${account}-${number},2026-02-0${number},CREDIT,${number}.50\n`),
  );
  const [source, mapping] = [join(cwd, 'rows.csv'), join(cwd, 'rows.csv.map.yaml')];
  writeFileSync(source, HEADER + rows.join(''));
  writeFileSync(mapping, MAPPING);
  writeFileSync(
    join(cwd, 'other.csv'),
    `${HEADER}1001,other,2026-01-01,CREDIT,1.00\n1001,wrong,2026-01-01,CREDIT,x\n`,
  );
  writeFileSync(join(cwd, 'other.csv.map.yaml'), MAPPING);
  const contract = join(cwd, 'contract.json');
  copyFileSync(join(projectRoot, 'fixtures/contracts/halmere/contract.json'), contract);
  const nowMs = Date.UTC(2026, 10, 21);
  const server = await startServer({
    database: ':memory:',
    seeds: [seed],
    contract,
    version: '1.0.0',
    nowMs: () => nowMs,
  });
  try {
    const env = {
      DATAIMPORT_BASE_URL: server.url,
      DATAIMPORT_API_KEY: 'local-key',
      DATAIMPORT_CONTRACT: contract,
    };
    const pushed = (...words: readonly string[]) =>
      runCli(['push', 'transactions', ...words, '--json'], fakeIo({ env, cwd, homeDir: cwd, nowMs }));
    await pushed('other.csv', '--skip-invalid');
    const { json, stderr } = await pushed('rows.csv');
    const report = json() as unknown as ChainedRun['report'];
    if (report.chain?.links !== accounts.length + LINKS_BEFORE)
      throw new Error(`${stderr}${JSON.stringify(report)}`);
    const journal = journalOf(cwd, report.run);
    return { checker: await chainChecker(), journal, source, mapping, contract, report };
  } finally {
    await server.close();
  }
}
