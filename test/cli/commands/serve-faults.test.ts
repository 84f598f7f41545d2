import { describe, expect, test } from 'vitest';
import { runCli, type FakeIo } from '../../support/cli-io.ts';
import { startedServe } from '../../support/started-serve.ts';

const RULE = 'token accept status=503 nth=2';

/** Starts `serve` in memory. `stop` ends it as Ctrl-C does. */
async function started(argv: readonly string[], io?: FakeIo) {
  const { text, url, stop } = await startedServe(['--db', ':memory:', ...argv], io);
  const askForToken = async () => (await fetch(`${url}/v1/graphql/`, { method: 'POST', body: '{}' })).status;
  return { text, askForToken, stop };
}

describe('serve with faults', () => {
  test('lists its rules', async () => {
    const { text, stop } = await started(['--fault', RULE, '--fault', 'any accept stall p=0.5']);
    expect(text).toContain(`It fails on purpose, by 2 rules:\n  ${RULE}\n  any accept stall p=0.5\n`);
    await stop();
  });

  test('lists its rules for a program', async () => {
    const { text, stop } = await started(['--fault', RULE, '--json']);
    expect(JSON.parse(text)).toMatchObject({ event: 'ready', faults: [RULE] });
    await stop();
  });

  test('fails as the rules say', async () => {
    const { askForToken, stop } = await started(['--fault', RULE]);
    expect([await askForToken(), await askForToken(), await askForToken()]).toEqual([415, 503, 415]);
    expect(await stop()).toMatchObject({ exitCode: 0, stderr: 'stopping\n' });
  });

  test('names at the end every rule that was never hit', async () => {
    const { stop } = await started(['--fault', RULE]);
    expect(await stop()).toMatchObject({ exitCode: 0, stderr: `stopping\nfault never hit: ${RULE}\n` });
  });

  test.each([
    [
      ['--fault', 'token accept rest'],
      'the fault `token accept rest` is wrong: there is no `rest`; did you mean `reset`?',
    ],
    [
      ['--fault', 'token accept rest', '--fault', 'token accept stall', '--fault', 'token accept'],
      'the faults are wrong: rule 1: there is no `rest`; did you mean `reset`?; rule 3: it does not say',
    ],
  ])('refuses %j as a wrong way to call it', async (argv, reason) => {
    const { exitCode, stderr } = await runCli(['serve', '--port', '0', '--db', ':memory:', ...argv]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(reason) as string });
  });
});
