import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { runDocument } from '../support/json-documents.ts';
import { scriptedPlatform, TOKEN_TRIAL } from '../support/scripted-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const WORDS = 'No: "Mrs Smith called" is nothing that a note may say.';
const REFUSAL = {
  detail: 'Validation failed.',
  code: 'validation_error',
  errors: [{ code: 'invalid', attr: 'notes.0.body', detail: WORDS }],
};

/** A finished run with a note that the platform refuses in words that quote it. */
async function refusedRun(...flags: readonly string[]) {
  const { url } = await scriptedPlatform([
    TOKEN_TRIAL,
    { expects: 'POST /v1/data-import/notes/create/', status: 400, body: REFUSAL },
  ]);
  const cwd = temporaryFolder();
  const env = { DATAIMPORT_BASE_URL: url, DATAIMPORT_TOKEN: 'given' };
  const cli = (...argv: readonly string[]) =>
    runCli(argv, fakeIo({ cwd, env, nowMs: Date.UTC(2026, 10, 21) }));
  const row = 'ACME,1001,Mrs Smith called';
  writeFileSync(join(cwd, 'n.csv'), `import_supplier,external_account_number,body\n${row}\n`);
  const push = ['push', 'notes', 'n.csv', '--on-reject', 'skip', '--json', ...flags];
  const pushed = runDocument.parse((await cli(...push)).json());
  const run = pushed.run!;
  return {
    run,
    cli,
    detail: pushed.problems[0]!.detail,
    detailOf: async (...given: readonly string[]): Promise<string> =>
      runDocument.parse((await cli('runs', 'show', run, '--json', ...given)).json()).problems[0]!.detail,
    runFile: () => readFileSync(globSync(join(cwd, '.dataimport/journal/*/*/notes.sqlite'))[0]!, 'latin1'),
  };
}

test('a hidden text names the command that shows it, and that command shows it', async () => {
  const { run, detail, detailOf } = await refusedRun();
  expect(detail).toContain(
    `its text of ${WORDS.length} characters is hidden; \`dataimport runs show ${run} --show-values\` shows what is hidden`,
  );
  expect(detail).not.toContain('Smith');
  expect(await detailOf()).toBe(detail);
  expect(await detailOf('--show-values')).toBe(WORDS);
});

test('a hidden text is erased with the record that it is about', async () => {
  const { run, cli, detailOf, runFile } = await refusedRun();
  expect(runFile()).toContain('Smith');
  expect((await cli('runs', 'forget', run)).exitCode).toBe(0);
  expect(runFile()).not.toContain('Smith');
  expect(await detailOf('--show-values')).toMatch(/its text of \d+ characters is hidden; it is erased$/);
});

test.each([
  ['a terminal', true, {}],
  ['a pipe', false, {}],
  ['a terminal of CI', true, { CI: 'true' }],
])('the words of the platform on %s', async (where, isTTY, ci) => {
  const { url } = await scriptedPlatform([
    TOKEN_TRIAL,
    { expects: 'POST /v1/data-import/notes/create/', status: 400, body: REFUSAL },
  ]);
  const cwd = temporaryFolder();
  const env = { DATAIMPORT_BASE_URL: url, DATAIMPORT_TOKEN: 'given', ...ci };
  writeFileSync(
    join(cwd, 'n.csv'),
    'import_supplier,external_account_number,body\nACME,1001,Mrs Smith called\n',
  );
  const push = ['push', 'notes', 'n.csv', '--on-reject', 'skip'];
  const world = { cwd, env, nowMs: Date.UTC(2026, 10, 21), isTTY };
  const { stderr } = await runCli(push, fakeIo(world));
  // The person at the terminal has the files.
  expect(stderr.includes(WORDS)).toBe(where === 'a terminal');
  expect(stderr.includes('--show-values` shows what is hidden')).toBe(where !== 'a terminal');
});
