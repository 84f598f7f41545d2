import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { clientsFolder, realTimeIo, tryIn } from '../../support/tried-client.ts';

const { execPath: node } = process;
const script = (text: string): readonly string[] => [node, '--input-type=module', '-e', text];
const FRESH_IDS = [node, 'fresh-ids.mjs'];

test('a client gets a key also from a seed without one, and what it writes is shown with --verbose', async () => {
  const cwd = clientsFolder();
  const seed = readFileSync(join(cwd, 'seed.yaml'), 'utf8').replace(/^api_keys:\n.*\n/m, '');
  expect(seed).not.toContain('key');
  writeFileSync(join(cwd, 'seed.yaml'), seed);
  const loud = script('console.log("I am the client"); await import("./careful.mjs")');
  const { stdout, stderr } = await tryIn(cwd, ['--runs', '1', '-v'], loud);
  expect(stdout).toMatch(/records undisturbed\n1 run with/);
  expect(stderr).toContain('I am the client\n');
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

  test('but what it wrote is shown, and the JUnit file says so', async () => {
    const cwd = clientsFolder();
    const failing = script('console.log("no such file"); process.exitCode = 3');
    const { exitCode, stderr } = await tryIn(cwd, ['--junit', 'try.xml'], failing);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no such file\n')]);
    const junit = readFileSync(join(cwd, 'try.xml'), 'utf8');
    expect(junit).toContain('<testsuites name="dataimport try" tests="1" failures="0" errors="1"');
    expect(junit).toMatch(
      /<testcase classname="try" name="the trial" time="\d+\.\d+">\n *<error message="the client cannot be tried: it ended with exit code 3 /,
    );
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

test('the client gets the address and the key of its platform, and no token of the user', async () => {
  const cwd = clientsFolder();
  const io = realTimeIo(cwd);
  const env = {
    ...io.env,
    DATAIMPORT_TOKEN: 'secret',
    DATAIMPORT_BASE_URL: 'https://real.example',
    DATAIMPORT_API_KEY: 'real',
  };
  const show = script(
    'import { statSync } from "node:fs"; console.log((statSync(process.env.DATAIMPORT_RUN_DIR).mode & 0o777).toString(8)); for (const name of ["BASE_URL", "API_KEY", "TOKEN"]) console.log(name, process.env["DATAIMPORT_" + name]); process.exitCode = 1',
  );
  const { stderr } = await tryIn(cwd, [], show, { ...io, env });
  expect(stderr).toMatch(/^700\nBASE_URL http:\/\/127\.0\.0\.1:\d+\nAPI_KEY night-key\nTOKEN undefined\n/);
});

/** The file with the last trial of a folder. */
const KEPT = join('.dataimport', 'try.json');

/** The trial of the client with fresh ids, as it is kept, once a test has played it. */
let kept: string | undefined;

describe('a trial', () => {
  test('is one JSON document and a JUnit file, and ends with 1 when a record is stored twice', async () => {
    const cwd = clientsFolder();
    const flags = ['--runs', '2', '--json', '--junit', 'try.xml'];
    const result = await tryIn(cwd, flags, FRESH_IDS);
    expect(result.exitCode).toBe(1);
    expect(result.json()).toEqual({
      version: 1,
      exit: { code: 1, name: 'DIFFERENT' },
      command: FRESH_IDS,
      fault_seed: 0,
      duration_ms: expect.any(Number),
      undisturbed: {
        requests: 9,
        records: 8,
        duration_ms: expect.any(Number),
        random: ['transaction.transaction_id'],
      },
      runs: 2,
      struck: { lost_before: 1, lost_after: 1 },
      findings: [
        {
          number: 1,
          finding: 'twice',
          when: 'the answer is lost after the commit',
          says: '1 too many: transaction (account 7)',
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
    const junit = readFileSync(join(cwd, 'try.xml'), 'utf8');
    expect(junit).toContain('<testsuites name="dataimport try" tests="3" failures="1"');
    expect(junit).toContain(
      '<failure message="stored twice: 1 too many: transaction (account 7)">stored twice: 1 too many: transaction (account 7)\n  fault: transactions after-commit reset attempt=1 nth=4\n',
    );
    expect(junit).toMatch(/\n {2}5 {2}transactions {2}account 7 {2}1 record {2}no answer {2}&lt;- fault/);
    const replay = ['dataimport', 'try', '--seed', 'seed.yaml', ...flags, '--replay', '1', '--', node];
    expect(junit).toContain(`\n  replay: ${replay.join(' ')} fresh-ids.mjs\n</failure>`);
    // A client that starts takes longer than a millisecond.
    const times = [...junit.matchAll(/<testcase [^>]* time="([\d.]+)"/g)].map(([, time]) => Number(time));
    expect(times).toHaveLength(3);
    expect(times.filter((seconds) => seconds < 0.001)).toEqual([]);
    const total = Number(/<testsuites [^>]* time="([\d.]+)"/.exec(junit)![1]);
    expect(total).toBeCloseTo(
      times.reduce((sum, seconds) => sum + seconds, 0),
      2,
    );
    kept ??= readFileSync(join(cwd, KEPT), 'utf8');
  });

  test('has no failure in the JUnit file when it ends with 0, and shows nothing that the client writes', async () => {
    const cwd = clientsFolder();
    const loud = script('console.log("I am the client"); await import("./sends-once.mjs")');
    const { exitCode, stderr } = await tryIn(cwd, ['--runs', '1', '--junit', 'try.xml'], loud);
    const junit = readFileSync(join(cwd, 'try.xml'), 'utf8');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(junit).toContain(' tests="2" failures="0" errors="0"');
    expect(junit).toContain('<system-out>gave up: it ended with ');
  });

  test('ends at once with the first signal, prints what is known, and leaves no client behind', async () => {
    const cwd = clientsFolder();
    const io = realTimeIo(cwd);
    const slow = script(
      'import { appendFileSync } from "node:fs"; appendFileSync("pids", process.pid + "\\n"); await import("./fresh-ids.mjs")',
    );
    const begun = tryIn(cwd, ['--junit', 'try.xml'], slow, io);
    await expect
      .poll(
        () => existsSync(join(cwd, 'pids')) && readFileSync(join(cwd, 'pids'), 'utf8').split('\n').length > 5,
      )
      .toBe(true);
    io.raise('SIGINT');
    const { exitCode, stdout } = await begun;
    expect(exitCode).toBe(130);
    expect(stdout).toContain('9 requests and 8 records undisturbed');
    expect(readFileSync(join(cwd, 'try.xml'), 'utf8')).toContain('<error message="the trial was stopped"/>');
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

/** A folder in which the client with fresh ids was tried. */
async function triedFolder(): Promise<string> {
  const cwd = clientsFolder();
  const file = join(cwd, KEPT);
  if (kept === undefined) {
    await tryIn(cwd, ['--runs', '2'], FRESH_IDS);
    kept = readFileSync(file, 'utf8');
  } else {
    mkdirSync(dirname(file));
    writeFileSync(file, kept);
  }
  return cwd;
}

describe('--replay', () => {
  test('plays a finding of the last trial, and keeps its platform until a signal', async () => {
    const cwd = await triedFolder();
    const io = realTimeIo(cwd);
    const begun = tryIn(cwd, ['--replay', '1'], FRESH_IDS, io);
    await expect.poll(() => io.printed.stderr, { timeout: 60_000 }).toContain('Press Ctrl-C');
    expect(io.printed.stderr).toContain(
      'finding 1 is there again: stored twice: 1 too many: transaction (account 7)\n',
    );
    const [, when, url] = /^finding 1, when (.*): (http\S+)\n/.exec(io.printed.stderr)!;
    expect(when).toBe('the answer is lost after the commit');
    const ledger = await (await fetch(`${url}/_local/ledger`)).text();
    expect(ledger.trim().split('\n')).toHaveLength(9);
    io.raise('SIGINT');
    expect(await begun).toMatchObject({ exitCode: 1, stdout: '' });
    await expect(fetch(`${url}/_local/ledger`)).rejects.toThrow();
  });

  test('says with --json whether the client still does it, and ends', async () => {
    const cwd = await triedFolder();
    const other = await triedFolder();
    cpSync(join(other, 'careful.mjs'), join(other, 'fresh-ids.mjs'));
    const flags = ['--replay', '1', '--json'];
    const [again, repaired, another] = await Promise.all([
      tryIn(cwd, flags, FRESH_IDS),
      tryIn(other, flags, FRESH_IDS),
      tryIn(await triedFolder(), flags, [node, 'careful.mjs']),
    ]);
    expect([again.exitCode, again.json()]).toEqual([
      1,
      {
        version: 1,
        exit: { code: 1, name: 'DIFFERENT' },
        number: 1,
        finding: 'twice',
        when: 'the answer is lost after the commit',
        faults: ['transactions after-commit reset attempt=1 nth=4'],
        recurred: true,
        other_client: null,
        findings: [{ finding: 'twice', says: '1 too many: transaction (account 7)' }],
        client_exit: 0,
      },
    ]);
    expect([repaired.exitCode, repaired.json()]).toMatchObject([
      0,
      { recurred: false, other_client: null, findings: [] },
    ]);
    const tried = { command: FRESH_IDS, seeds: ['seed.yaml'] };
    expect(another.json()).toMatchObject({ recurred: null, other_client: { shows_it: false, tried } });
  });

  test.each([
    ['command', [], [node, 'careful.mjs']],
    ['seed', ['--seed', 'more.yaml'], FRESH_IDS],
  ])('does not say that a finding is gone from a client with another %s', async (what, seeds, command) => {
    const cwd = await triedFolder();
    writeFileSync(join(cwd, 'more.yaml'), 'version: 1\n');
    const shows = what === 'seed';
    const io = realTimeIo(cwd);
    const begun = tryIn(cwd, ['--replay', '1', ...seeds], command, io);
    await expect.poll(() => io.printed.stderr, { timeout: 60_000 }).toContain('Press Ctrl-C');
    io.raise('SIGINT');
    await begun;
    const typed = `--seed seed.yaml -- ${node} fresh-ids.mjs`;
    expect(io.printed.stderr).toContain(
      `\nthe trial was of another client or seed: \`${typed}\`. This one does${shows ? ' the same: stored twice: ' : ' not show it; '}`,
    );
    expect(io.printed.stderr).not.toMatch(/any more|is there again/);
  });

  test.each([1, 3])(
    'has no verdict when a signal comes while the client runs for the %ith time',
    async (time) => {
      const cwd = await triedFolder();
      const io = realTimeIo(cwd);
      const hanging = script(
        `import { appendFileSync, readFileSync } from "node:fs"; await import("./fresh-ids.mjs"); appendFileSync("runs", "x"); if (readFileSync("runs", "utf8").length === ${time}) setInterval(() => {}, 1000)`,
      );
      const begun = tryIn(cwd, ['--replay', '1', '--json'], hanging, io);
      const runs = (): number =>
        existsSync(join(cwd, 'runs')) ? readFileSync(join(cwd, 'runs'), 'utf8').length : 0;
      await expect.poll(runs, { timeout: 60_000 }).toBe(time);
      io.raise('SIGINT');
      const { exitCode, stdout } = await begun;
      expect([exitCode, stdout]).toEqual([130, '']);
    },
  );

  test.each([
    ['1', 'this folder has no trial'],
    ['2', 'the last trial has 1'],
  ])('of finding %s: %s', async (number, reason) => {
    const cwd = number === '2' ? await triedFolder() : clientsFolder();
    const { exitCode, stderr } = await tryIn(cwd, ['--replay', number], FRESH_IDS);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(reason)]);
  });
});
