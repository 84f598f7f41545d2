import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, expect, test } from 'vitest';
import { ENDPOINTS, type EndpointName } from '../../src/core/contract/endpoints.ts';
import { IMPORT_STATUSES } from '../../src/core/contract/account-import.ts';
import { DESCRIPTORS, RESOURCES } from '../../src/core/contract/resources.ts';
import { TRANSACTION_TYPES } from '../../src/core/contract/transaction.ts';
import { serve } from '../support/built-cli.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPT = join(projectRoot, 'scripts', 'play-interface.sh');
const SEED = join(projectRoot, 'scripts', 'play-interface', 'seed.yaml');

function play(args: readonly string[] = [], stderr: 'inherit' | 'pipe' = 'inherit') {
  const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };
  return execa(SCRIPT, args, { cwd: tmpdir(), env, reject: false, stderr });
}

let exitCode: number | undefined;
let printed: string;

beforeAll(async () => {
  ({ exitCode, stdout: printed } = await play());
});

test('every request has the expected status', () => {
  expect(printed).not.toContain('!!');
  expect(exitCode).toBe(0);
});

test('the sections are those of the interface, in its order', () => {
  const sections = [...printed.matchAll(/^######## ([\d.]+)/gm)].map(([, number]) => number);
  // Sections 1 and 4.1 are overviews.
  expect(sections).toEqual(
    '2.1 2.2 2.4 2.5 2.6 2.7 3.1 3.2 3.3 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 5 6 7.1 7.2 8 9'.split(' '),
  );
});

/** interface.md 4 and 7.2; 404 of transactions and statements: deployments.md, "Responses". */
const ANSWERED: Readonly<Partial<Record<EndpointName, readonly number[]>>> = {
  createNotes: [201, 400, 404],
  createTransactions: [201, 400, 404],
  createStatements: [201, 400, 404],
  createPaymentInstruction: [201, 400, 500],
  accountTransferStatus: [200, 404],
  allAccountImportProcesses: [200, 404],
  pendingAccountImportProcesses: [200, 404],
  importedAccountImportProcesses: [200, 404],
};

test('every endpoint of the interface is asked', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'spec', 'interface.md'), 'utf8');
  const ofInterface = Object.entries(ENDPOINTS).filter(([, { path }]) => page.includes(path.split(':')[0]!));
  expect(Object.keys(ANSWERED).toSorted()).toEqual(ofInterface.map(([name]) => name).toSorted());
});

test.each(Object.entries(ANSWERED))('%s is answered with %j', (name, statuses) => {
  const { method, path } = ENDPOINTS[name as EndpointName];
  const pattern = path.replaceAll(/:\w+/g, '[^/\\n]+');
  const asked = new RegExp(`^${method} ${pattern}(?:\\?.*)?\\n[^]*?^-> (\\d+)$`, 'gm');
  const seen = new Set([...printed.matchAll(asked)].map(([, status]) => Number(status)));
  expect([...seen]).toEqual(expect.arrayContaining([...statuses]));
});

test.each([
  ...IMPORT_STATUSES,
  ...RESOURCES.map((resource) => DESCRIPTORS[resource])
    .filter(({ endpoint }) => Object.hasOwn(ANSWERED, endpoint.name))
    .flatMap(({ answer }) => Object.keys(answer.statuses ?? {})),
  ...TRANSACTION_TYPES,
  'TRANSACTION_IMPORT_SUCCESS',
])('%s occurs in an answer', (word) => {
  const answers = printed.split('\n').filter((line) => /^[[{]+"/.test(line));
  expect(answers.some((line) => line.includes(`"${word}"`))).toBe(true);
});

test('docs/serve-reference.md quotes its output', () => {
  const [shown] = documentBlocks('docs/serve-reference.md', 'text').filter(({ title }) => title === 'play');
  for (const part of shown!.text.trim().split('\n\n')) expect(`${printed}\n`).toContain(`${part}\n`);
});

test.each([401, 403, 405, 413, 415, 421])('%i occurs', (status) => {
  expect(printed).toContain(`-> ${status}\n`);
});

test('no server at the URL: a message, no request, exit code 2', async () => {
  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  const { exitCode: code, stdout, stderr } = await play([`http://127.0.0.1:${port}`], 'pipe');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`answers at http://127.0.0.1:${port}`);
});

test('a server with other data: its unexpected answer is marked, exit code 1', async () => {
  const cwd = temporaryFolder();
  // The second attempt of the instruction fails, too.
  writeFileSync(join(cwd, 'seed.yaml'), readFileSync(SEED, 'utf8').replace('times: 1', 'times: 2'));
  const platform = await serve(['--port', '0', '--db', ':memory:', '--seed', 'seed.yaml'], { cwd });
  try {
    const other = await play([platform.url, platform.apiKey]);
    expect(other.exitCode).toBe(1);
    expect(other.stdout.match(/^!! .*$/gm)).toEqual(['!! expected 201']);
  } finally {
    await platform.stop();
  }
});
