import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { startServe } from '../support/built-cli.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** One command of a console block and what the document says it prints; a line `…` stands for any lines. */
interface Step {
  readonly command: string;
  readonly printed: string;
}

test('README.md: the two commands are scripts of the package', () => {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const commands = documentBlocks('README.md', 'sh').map(({ text }) => text.trim());
  expect(commands.slice(0, 2)).toEqual(['npm run demo', 'npm test']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

test('README.md: the rehearsal prints what the page shows', { timeout: 60_000 }, async () => {
  const cwd = temporaryFolder();
  const bin = join(cwd, '.bin');
  mkdirSync(bin);
  symlinkSync(join(projectRoot, 'bin', 'dataimport.js'), join(bin, 'dataimport'));
  symlinkSync(process.execPath, join(bin, 'node'));
  symlinkSync(join(projectRoot, 'fixtures'), join(cwd, 'fixtures'));
  writeFileSync(join(cwd, 'late.csv'), LATE);

  const [serveBlock, ...blocks] = documentBlocks('README.md', 'console');
  const [serveStep] = stepsOf(serveBlock!.text);
  const server = await startServe([...serveStep!.command.split(' ').slice(2), '--port', '0'], { cwd });
  try {
    expect(normal(server.banner, server.url)).toMatch(pattern(serveStep!.printed));
    let env: Record<string, string> = { PATH: `${bin}:/usr/bin:/bin`, HOME: cwd };
    for (const { command, printed } of blocks.flatMap(({ text }) => stepsOf(text))) {
      if (command.startsWith('export ')) {
        env = { ...env, ...variables(command, server.url) };
        continue;
      }
      const { all } = await execa({ cwd, env, extendEnv: false, reject: false, all: true, stdin: 'ignore' })(
        'sh',
        ['-c', command],
      );
      expect(normal(`${all}\n`, server.url), command).toMatch(pattern(printed));
    }
  } finally {
    await server.stop();
  }
  expect(dirname(bin)).toBe(cwd);
});

const LATE = [
  'import_supplier,external_account_number,transaction_id,transaction_date,type,amount',
  'ACME,0010023417,LATE-1,2026-10-01,CREDIT,12.50',
  'ACME,0010059902,LATE-2,2026-10-01,CREDIT,7.25',
  '',
].join('\n');

function stepsOf(block: string): readonly Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = step.indexOf('\n');
      return { command: step.slice(0, end), printed: step.slice(end + 1) };
    });
}

/** What differs from one time to the next: port, time taken, the time in a run's id. */
function normal(text: string, url: string): string {
  return text
    .replaceAll(url, 'http://127.0.0.1:4010')
    .replaceAll(/\b\d+ (ms|s)\b/g, '0 ms')
    .replaceAll(/\d{8}-\d{6}-/g, '20261121-101502-');
}

function pattern(printed: string): RegExp {
  const lines = normal(printed, 'http://127.0.0.1:4010')
    .split('\n')
    .map((line) => (line === '…' ? '[^]*' : line.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')));
  return new RegExp(`^${lines.join('\n').replaceAll('[^]*\n', '[^]*')}$`);
}

function variables(command: string, url: string): Record<string, string> {
  const pairs = command.replace('http://127.0.0.1:4010', url).split(' ').slice(1);
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}
