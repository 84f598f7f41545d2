import { expect, test } from 'vitest';
import { removedWord } from '../../../src/cli/program/removed-words.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';

const ID = '20261121-101502-transactions-4f2a';
const RESUME = '`dataimport resume RUN` sends refused records again, and so does the command of the run';

test.each([
  [['retry', ID], `there is no retry any more: ${RESUME}`],
  [['retry', ID, '--only', 'rejected'], `there is no retry any more: ${RESUME}`],
  [
    ['push', '--continue', 'notes', 'n.csv'],
    'there is no --continue any more: the same command goes on by itself',
  ],
  [
    ['migrate', 'cohort.yaml', '--continue'],
    'there is no --continue any more: the same command goes on by itself',
  ],
  [
    ['push', 'notes', 'n.csv', '--new'],
    'there is no --new any more: a changed file is sent by the same command; `--again` ignores what was sent before',
  ],
  [
    ['push', 'notes', 'n.csv', '--only-new', '--since', ID],
    'there is no --only-new any more: only what has not arrived is sent, always',
  ],
  [
    ['push', 'notes', 'n.csv', `--since=${ID}`],
    'there is no --since any more: every run of the folder is known, so none has to be named',
  ],
  [
    ['check', 'notes', 'n.csv', '--code-quality', 'q.json'],
    'there is no --code-quality any more: `--junit FILE` writes the causes of errors for CI, and `--json` lists the problems',
  ],
  [
    ['report', ID, '--ctrf=r.json'],
    'there is no --ctrf any more: a report has the forms --html, --junit and --json',
  ],
  [
    ['report', ID, '--pdf', 'r.pdf'],
    'there is no --pdf any more: print the page of `--html` from any browser',
  ],
  [
    ['verify', 'notes', 'n.csv', '--signed', 's.json'],
    'there is no --signed any more: sign the document of `dataimport report --json` with `openssl pkeyutl` (docs/report.md)',
  ],
  [
    ['push', 'notes', 'n.csv', '--metrics-file', 'm.prom'],
    'there is no --metrics-file any more: the progress line says how far a command is, and `runs show RUN --json` has the counts',
  ],
  [
    ['admin', 'parity'],
    'there is no parity any more: `dataimport admin rules` lists the rules of the local platform, and `dataimport parity FILE` compares it with a recording',
  ],
])('%j says what does now what it did', async (argv, reason) => {
  const { exitCode, stdout, stderr } = await runCli(argv);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr.split('\n')[0]).toBe(`dataimport: error usage ${reason}`);
});

test('the words stay what they are in other commands', async () => {
  const io = fakeIo({ env: { DATAIMPORT_BASE_URL: 'http://127.0.0.1:1' } });
  const { stderr } = await runCli(['admin', 'requests', '--since', '2026-11-21T00:00:00Z'], io);
  expect(stderr).not.toContain('any more');
  expect((await runCli(['check', 'notes', 'n.csv', '--new'])).stderr).toContain("unknown option '--new'");
});

test.each(['push', 'retr', '', 'toString', '__proto__'])('%j was never removed', (word) => {
  expect(removedWord('', word)).toBeUndefined();
});
