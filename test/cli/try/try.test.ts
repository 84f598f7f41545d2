import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { kindsOfFault } from '../../../src/cli/try/fault-kinds.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { clientsFolder, realTimeIo, tryIn } from '../../support/tried-client.ts';

const { execPath: node } = process;
const script = (text: string): readonly string[] => [node, '--input-type=module', '-e', text];
const FRESH_IDS = [node, 'fresh-ids.mjs'];
const KINDS = kindsOfFault(true).map(({ name }) => name);

test('a client gets a key also from a seed without one', async () => {
  const cwd = clientsFolder();
  const seed = readFileSync(join(cwd, 'seed.yaml'), 'utf8').replace(/^api_keys:\n.*\n/m, '');
  expect(seed).not.toContain('key');
  writeFileSync(join(cwd, 'seed.yaml'), seed);
  const { stdout } = await tryIn(cwd, ['--runs', '1'], script('await import("./careful.mjs")'));
  expect(stdout).toMatch(/records undisturbed\n1 run with/);
});

test('what the platform does not store without a fault is said, because no fault changes it', async () => {
  const cwd = clientsFolder();
  const file = join(cwd, 'payments.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^(7,P-3.*\n)/m, '$17,P-1,2026-01-16,99.00\n'));
  const { stdout } = await tryIn(cwd, ['--runs', '1'], [node, 'careful.mjs']);
  expect(stdout).toContain('not stored: 1 record whose id the account has with other content\n');
});

describe('a client that fails without a fault is not tried', () => {
  test.each([
    ['ends with 3', [], script('process.exitCode = 3'), 'it ended with exit code 3'],
    ['sends nothing', [], script('0'), 'no request reached the platform'],
    [
      'stores nothing',
      [],
      script('await fetch(process.env.DATAIMPORT_BASE_URL + "/v1/x/")'),
      'no record was stored; 1 req',
    ],
    ['does not exist', [], ['no-such-program'], 'it could not be started'],
    ['hangs', ['--budget', '200ms'], script('setInterval(() => {}, 1000)'), 'it did not end within'],
  ])('%s', async (_, flags, command, reason) => {
    const { exitCode, stderr } = await tryIn(clientsFolder(), flags, command);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('error client_not_tried the client cannot be tried: ');
    expect(stderr).toContain(reason);
  });

  test('but what it wrote is shown', async () => {
    const failing = script('console.log("no such file"); process.exitCode = 3');
    const { exitCode, stderr } = await tryIn(clientsFolder(), [], failing);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no such file\n')]);
  });

  test('nor one with a seed that cannot be used, and nothing is left of it', async () => {
    const cwd = clientsFolder();
    writeFileSync(join(cwd, 'seed.yaml'), 'version: 1\nsuppliers: [{ code: A, status: Ongoing }]\n');
    vi.stubEnv('TMPDIR', temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { exitCode, stderr } = await tryIn(cwd, [], [node, 'careful.mjs']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('suppliers[0].name: is required')]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('dataimport-try-'))).toEqual([]);
  });

  test('nor one that remembers the run before', async () => {
    const cwd = clientsFolder();
    const once =
      'import { existsSync, writeFileSync } from "node:fs"; if (existsSync("done")) await fetch(process.env.DATAIMPORT_BASE_URL + "/v1/x/"); else { writeFileSync("done", ""); await import("./careful.mjs"); }';
    expect((await tryIn(cwd, [], script(once))).stderr).toMatch(
      /no record was stored|stored 8 and 0 records/,
    );
  });
});

test('the client gets the address and the key of its platform, and no secret of the user', async () => {
  const cwd = clientsFolder();
  const io = realTimeIo(cwd);
  const env = {
    ...io.env,
    DATAIMPORT_TOKEN: 'secret',
    DATAIMPORT_API_KEY_COMMAND: 'secret',
    DATAIMPORT_SERVE_API_KEY: 'secret',
    DATAIMPORT_BASE_URL: 'https://real.example',
    DATAIMPORT_API_KEY: 'real',
  };
  const show = script(
    'import { statSync } from "node:fs"; console.log((statSync(process.env.DATAIMPORT_RUN_DIR).mode & 0o777).toString(8)); for (const name of ["BASE_URL", "API_KEY", "TOKEN", "API_KEY_COMMAND", "SERVE_API_KEY"]) console.log(name, process.env["DATAIMPORT_" + name]); process.exitCode = 1',
  );
  const { stderr } = await tryIn(cwd, [], show, { ...io, env });
  expect(stderr).toMatch(
    /^700\nBASE_URL http:\/\/127\.0\.0\.1:\d+\nAPI_KEY night-key\nTOKEN undefined\nAPI_KEY_COMMAND undefined\nSERVE_API_KEY undefined\n/,
  );
});

describe('a trial', () => {
  test('is one JSON document, and ends with 1 when a record is stored twice', async () => {
    const cwd = clientsFolder();
    const result = await tryIn(cwd, ['--runs', '2', '--json'], FRESH_IDS);
    expect(result.exitCode).toBe(1);
    expect(result.json()).toEqual({
      version: 1,
      exit: { code: 1, name: 'DIFFERENT' },
      command: FRESH_IDS,
      duration_ms: expect.any(Number),
      undisturbed: {
        requests: 9,
        records: 8,
        duration_ms: expect.any(Number),
        random: ['transaction.transaction_id'],
      },
      runs: 2,
      runs_planned: 163,
      struck: { lost_before: 1, lost_after: 1 },
      not_reached: KINDS.slice(2),
      problems: [],
      next: expect.stringContaining('shows finding 1'),
      findings: [
        {
          number: 1,
          finding: 'twice',
          when: 'the answer is lost after the commit',
          says: '1 record too many: transaction (account 7)',
          interface: expect.stringContaining('check_previously_added'),
          runs: 1,
          client_exit: 0,
          faults: ['transactions after-commit reset attempt=1 nth=4'],
          history: Array.from({ length: 7 }, (_, index) => ({
            request: index + 2,
            after_ms: expect.any(Number),
            endpoint: 'transactions',
            external_account_number: '7',
            records: 1,
            status: index === 3 ? null : 201,
            faults: index === 3 ? ['transactions after-commit reset attempt=1 nth=4'] : [],
            client_start: 1,
          })),
        },
      ],
    });
  });

  test('ends with 0 when nothing is lost, and shows nothing that the client writes but what was not reached', async () => {
    const loud = script('console.log("I am the client"); await import("./sends-once.mjs")');
    const { exitCode, stdout, stderr } = await tryIn(clientsFolder(), ['--runs', '1'], loud);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toContain(
      `\nnot reached (no run was left): ${KINDS.slice(1, -2).join(', ')}\nnot reached (only with --restart): killed_before, killed_after\n`,
    );
    expect(stdout).toMatch(/\n1 gave up, when the answer is lost before the commit: it ended with /);
  });

  test('ends at once with the first signal, prints what is known, and leaves no client behind', async () => {
    const cwd = clientsFolder();
    const io = realTimeIo(cwd);
    const slow = script(
      'import { appendFileSync } from "node:fs"; appendFileSync("pids", process.pid + "\\n"); await import("./fresh-ids.mjs")',
    );
    const begun = tryIn(cwd, [], slow, io);
    await expect
      .poll(
        () => existsSync(join(cwd, 'pids')) && readFileSync(join(cwd, 'pids'), 'utf8').split('\n').length > 5,
      )
      .toBe(true);
    io.raise('SIGINT');
    const { exitCode, stdout } = await begun;
    expect(exitCode).toBe(130);
    expect(stdout).toContain('9 requests and 8 records undisturbed');
    const pids = readFileSync(join(cwd, 'pids'), 'utf8').trim().split('\n').map(Number);
    expect(pids.filter(isRunning)).toEqual([]);
  });
});

/** Whether a process is there. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
