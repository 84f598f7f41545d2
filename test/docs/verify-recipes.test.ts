import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa, execaSync } from 'execa';
import { describe, expect, test } from 'vitest';
import { COMMAND, compiledCode } from '../support/built-cli.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { migration } from '../support/migration.ts';
import { GOOD, HEADER, SEED } from '../support/refused-account.ts';

const isInstalled = (program: string): boolean =>
  execaSync('sh', ['-c', `command -v ${program}`], { reject: false }).exitCode === 0;

/** Types the block of docs/verify.md that is named for a program, in the folder of a finished run. */
async function typed(program: string) {
  const site = await migration(SEED);
  site.csv('transactions.csv', HEADER, GOOD);
  await site.cli('push', 'transactions', 'transactions.csv');
  const bin = join(site.cwd, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'dataimport'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
  chmodSync(join(bin, 'dataimport'), 0o755);
  const env = { PATH: `${bin}${delimiter}${process.env['PATH']}`, HOME: site.cwd, ...compiledCode() };
  const { text } = documentBlocks('docs/verify.md', 'sh').find(({ title }) => title === program)!;
  const type = (lines: string) =>
    execa('sh', ['-ec', lines], { cwd: site.cwd, env, all: true, reject: false });
  const { exitCode, all } = await type(text);
  return { cwd: site.cwd, type, text, exitCode, all };
}

describe.runIf(['openssl', 'jq'].every(isInstalled))('the commands of docs/verify.md', () => {
  test('sign the heads of the chains, and find a document and a head that were changed', async () => {
    const { cwd, type, text, exitCode, all } = await typed('openssl');
    expect([exitCode, all]).toEqual([0, expect.stringContaining('Signature Verified Successfully')]);
    const lines = text.trimEnd().split('\n');
    const [verify, compare] = [lines.find((line) => line.includes('-verify'))!, lines.at(-1)!];
    const heads = join(cwd, 'signed.heads');
    writeFileSync(
      heads,
      readFileSync(heads, 'utf8').replace(/.(?="\]$)/m, (digit) => (digit === '0' ? '1' : '0')),
    );
    expect((await type(compare)).exitCode).toBe(1);
    const signed = join(cwd, 'signed.json');
    writeFileSync(signed, readFileSync(signed, 'utf8').replace('"created": 1', '"created": 2'));
    expect((await type(verify)).exitCode).toBe(1);
  });

  test('make other forms of the document', async () => {
    const { exitCode, all } = await typed('jq');
    expect([exitCode, all]).toEqual([0, expect.stringContaining('dataimport_rows{end="created"} 1\n')]);
  });
});
