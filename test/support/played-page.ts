import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { startServe } from './built-cli.ts';
import { documentBlocks, type DocumentBlock } from './document-blocks.ts';
import { projectRoot } from './source-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** One command of a console block and what the document says it prints; a line `…` stands for any lines. */
interface Step {
  readonly command: string;
  readonly printed: string;
}

/** Address that a document shows for the local platform. */
const SHOWN_URL = 'http://127.0.0.1:4010';

/** Blocks that are files when their title is a name with a dot. */
const FILE_LANGUAGES = ['yaml', 'csv'];

/**
 * Does what a page says, from top to bottom, in an empty folder with `fixtures` in it: blocks titled with a file name
 * are written, a block `console serve` starts the local platform, the commands of other `console` blocks are typed and
 * have to print what the page shows. `files` are there from the beginning.
 */
export async function playPage(
  document: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const cwd = temporaryFolder();
  const bin = join(cwd, '.bin');
  mkdirSync(bin);
  symlinkSync(join(projectRoot, 'bin', 'dataimport.js'), join(bin, 'dataimport'));
  symlinkSync(process.execPath, join(bin, 'node'));
  symlinkSync(join(projectRoot, 'fixtures'), join(cwd, 'fixtures'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);

  let env: Record<string, string> = { PATH: `${bin}:/usr/bin:/bin`, HOME: cwd };
  let server: Awaited<ReturnType<typeof startServe>> | undefined;
  try {
    for (const block of documentBlocks(document, 'console', ...FILE_LANGUAGES)) {
      if (isFile(block)) writeFileSync(join(cwd, block.title), block.text);
      if (block.language !== 'console') continue;
      for (const { command, printed } of stepsOf(block.text)) {
        if (block.title === 'serve') {
          server = await startServe([...command.split(' ').slice(2), '--port', '0'], { cwd });
          expect(normal(server.banner, server.url)).toMatch(pattern(printed));
        } else if (command.startsWith('export ')) {
          env = { ...env, ...variables(command, server?.url) };
        } else {
          const typed = execa({ cwd, env, extendEnv: false, reject: false, all: true, stdin: 'ignore' });
          const { all } = await typed('sh', ['-c', command]);
          expect(normal(all === '' ? '' : `${all}\n`, server?.url), command).toMatch(pattern(printed));
        }
      }
    }
  } finally {
    await server?.stop();
  }
}

function isFile({ language, title }: DocumentBlock): boolean {
  return FILE_LANGUAGES.includes(language) && title.includes('.');
}

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
function normal(text: string, url = SHOWN_URL): string {
  return text
    .replaceAll(url, SHOWN_URL)
    .replaceAll(/\b\d+ (ms|s)\b/g, '0 ms')
    .replaceAll(/\d{8}-\d{6}-/g, '20261121-101502-');
}

function pattern(printed: string): RegExp {
  const lines = normal(printed)
    .split('\n')
    .map((line) => (line === '…' ? '[^]*' : line.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')));
  return new RegExp(`^${lines.join('\n').replaceAll('[^]*\n', '[^]*')}$`);
}

function variables(command: string, url = SHOWN_URL): Record<string, string> {
  const pairs = command.replace(SHOWN_URL, url).split(' ').slice(1);
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}
