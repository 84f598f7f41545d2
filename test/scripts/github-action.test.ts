import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMAND, compiledCode } from '../support/built-cli.ts';
import { writeFixture } from '../support/replay-fixture.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Step {
  readonly name: string;
  readonly uses?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const read = <T>(name: string): T => parse(readFileSync(join(projectRoot, name), 'utf8')) as T;
const action = read<Action>('action.yml');

/** A checkout with a fixture. `installs`: whether the project has a version of its own. */
function checkout(changed: Readonly<Record<string, string>> = {}, installs = true): string {
  const cwd = temporaryFolder();
  if (installs) {
    mkdirSync(join(cwd, 'node_modules', '.bin'), { recursive: true });
    symlinkSync(COMMAND, join(cwd, 'node_modules', '.bin', 'dataimport'));
  }
  writeFixture(join(cwd, 'migrations', 'june'));
  for (const [name, text] of Object.entries(changed)) writeFileSync(join(cwd, name), text);
  cpSync(join(cwd, 'migrations/june/transactions.csv'), join(cwd, 'transactions.csv'), { force: false });
  return cwd;
}

/** Runs the steps, or those with some names, in the way of GitHub: with the inputs in place, `bash -e`, and until one fails. */
async function ran(
  cwd: string,
  { seed = 'migrations/june/seed.yaml', names }: { seed?: string; names?: readonly string[] } = {},
) {
  const given: Readonly<Record<string, string>> = {
    resource: 'transactions',
    file: 'transactions.csv',
    seed,
    fixtures: 'migrations',
  };
  const filled = (text: string): string =>
    text
      .replaceAll('${{ github.action_path }}', projectRoot)
      .replaceAll(
        /\$\{\{ inputs\.([a-z]+) \}\}/g,
        (_, name: string) => given[name] ?? action.inputs[name]!.default!,
      );
  const paths = join(cwd, 'github-path');
  const ended: { readonly name: string; readonly exitCode: number | undefined; readonly output: string }[] =
    [];
  for (const { name, run, env = {} } of action.runs.steps) {
    if (run === undefined || names?.includes(name) === false) continue;
    const added = ended.length === 0 ? [] : readFileSync(paths, 'utf8').trim().split('\n');
    const own = Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(text)]));
    const { exitCode, all } = await execa('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
      cwd,
      env: {
        PATH: [...added, dirname(process.execPath), process.env['PATH']].join(':'),
        HOME: cwd,
        ...compiledCode(),
        GITHUB_ACTIONS: 'true',
        GITHUB_PATH: paths,
        RUNNER_TEMP: join(cwd, 'runner'),
        ...own,
      },
      extendEnv: false,
      all: true,
      reject: false,
    });
    ended.push({ name, exitCode, output: all });
    if (exitCode !== 0) break;
  }
  return ended;
}

describe('the composite action', () => {
  test('checks, replays and rehearses a good file, also where an earlier run has left its reports', async () => {
    const cwd = checkout();
    mkdirSync(join(cwd, 'reports'));
    // A server that has ended.
    writeFileSync(join(cwd, 'reports', 'serve.json'), '{"url":"http://127.0.0.1:9"}');
    const steps = await ran(cwd);
    expect(steps.map(({ name, exitCode, output }) => [name, exitCode, exitCode === 0 ? '' : output])).toEqual(
      ['Find dataimport', 'Check', 'Replay', 'Rehearse'].map((name) => [name, 0, '']),
    );
    // The next rehearsal begins with an empty platform, too.
    expect(existsSync(join(cwd, '.dataimport', 'serve.sqlite'))).toBe(false);
    const report = (name: string): string => readFileSync(join(cwd, 'reports', name), 'utf8');
    expect(report('check.xml')).toContain('failures="0"');
    expect(report('replay.xml')).toContain('<testsuite ');
    expect(report('report.html')).toContain('Everything arrived: 3 of 3 records.');
    expect(report('report.xml')).toContain('failures="0"');
    expect(steps.at(-1)!.output).toMatch(/\b3 arrived\n[^]*nothing differs in 3 rows\n/);
  });

  test('ends at the check with an annotation at the line, and leaves the JUnit file', async () => {
    const header = 'import_supplier,external_account_number,transaction_id,transaction_date,amount,type\n';
    const cwd = checkout({ 'transactions.csv': `${header}ACME,1,t-1,2026-02-30,10.00,CHARGE\n` });
    const steps = await ran(cwd);
    expect(steps.map(({ name, exitCode }) => [name, exitCode])).toEqual([
      ['Find dataimport', 0],
      ['Check', 3],
    ]);
    expect(steps[1]!.output).toMatch(/::error file=transactions\.csv,line=2/);
    expect(readFileSync(join(cwd, 'reports', 'check.xml'), 'utf8')).toContain('transactions.csv:2');
  });

  test('keeps the reports however it ends, and every input is used', () => {
    const { steps, using } = action.runs;
    expect(using).toBe('composite');
    for (const step of steps) {
      if (step.run === undefined)
        expect([step.if, step.uses]).toEqual(['always()', expect.stringMatching(/@v\d+$/)]);
      else expect(step.shell).toBe('bash');
    }
    const text = JSON.stringify(steps);
    for (const name of Object.keys(action.inputs)) expect(text).toContain(`inputs.${name} `);
    // A value of an input in a script would be code.
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });
});

test('the workflow gives the action every input that it needs', () => {
  const { jobs } = read<{ jobs: { migration: { steps: readonly Step[] } } }>('examples/github/migration.yml');
  const { uses, with: given = {} } = jobs.migration.steps.at(-1)!;
  expect(uses).toMatch(/^[\w-]+\/dataimport@v\d+\.\d+\.\d+$/);
  const needed = Object.entries(action.inputs).filter(([, { required }]) => required);
  expect(Object.keys(given).toSorted()).toEqual(needed.map(([name]) => name).toSorted());
});
