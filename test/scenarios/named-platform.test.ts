import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, fakeIo } from '../support/cli-io.ts';
import { seedWith, site } from '../support/cohort-site.ts';

/** The command whose address is set in every way. */
const FIRST = 'auth';
const SENDING = [
  FIRST,
  'accounts --supplier ACME',
  'status 1001 --supplier ACME',
  'push transactions t.csv',
  'migrate night.yaml',
];

test('every command that sends names the platform and what set it before its first request', async () => {
  const { cwd, url } = await site(seedWith('imported', 'imported'));
  const config = join(cwd, 'dataimport.config.yaml');
  const run = async (line: string, env: Record<string, string>, ...flags: readonly string[]) => {
    const world = { cwd, nowMs: Date.UTC(2026, 10, 21), env: { DATAIMPORT_API_KEY: 'local-key', ...env } };
    const { stderr } = await runCli([...line.split(' '), ...flags], fakeIo(world));
    const lines = stderr.split('\n');
    const request = lines.findIndex((text) => /^(GET|POST) /.test(text));
    const before = request < 0 ? lines : lines.slice(0, request);
    return { line, before: before.filter((text) => text.startsWith('platform: ')) };
  };
  for (const line of SENDING) {
    writeFileSync(config, `supplier: ACME\nbaseUrl: ${url}\n`);
    const named = { line, before: [`platform: ${url}, set by ${config}:2`] };
    expect(await run(line, {}, '-v')).toEqual(named);
    unlinkSync(config);
    const typed = ['--base-url', url];
    expect((await run(line, {}, ...typed, '--json')).before).toEqual([]);
    if (line !== FIRST) continue;
    writeFileSync(config, `supplier: ACME\nbaseUrl: ${url}\n`);
    // Nobody has typed the address of a file, so a quiet command names it, too.
    expect((await run(line, {}, '-q')).before).toEqual(named.before);
    unlinkSync(config);
    expect((await run(line, {}, ...typed)).before).toEqual([`platform: ${url}, set by --base-url`]);
    expect((await run(line, {}, ...typed, '-q')).before).toEqual([]);
    const byVariable = await run(line, { DATAIMPORT_BASE_URL: url }, '-v');
    expect(byVariable.before).toEqual([`platform: ${url}, set by DATAIMPORT_BASE_URL`]);
    const byFlag = await run(line, {}, '-v', '--base-url', url);
    expect(byFlag.before).toEqual([`platform: ${url}, set by --base-url`]);
  }
  // The last command goes where it went before.
  expect((await run('resume', {}, '-v')).before).toEqual([`platform: ${url}, set by --base-url`]);
});
