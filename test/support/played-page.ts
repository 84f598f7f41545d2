import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { COMMAND, startServe, compiledCode } from './built-cli.ts';
import { documentBlocks, type DocumentBlock } from './document-blocks.ts';
import { expectExplainedExit } from './explained-exit.ts';
import { journalsIn, readingsOf } from './journals.ts';
import { projectRoot } from './source-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';
import {
  DISTURBANCES,
  serveHere,
  startCommand,
  typedHere,
  type Disturbance,
  type PlayedServer,
  type Shell,
  type Started,
  type Typed,
} from './typed-command.ts';

/** One command of a console block, and its output on the page. A line `…` matches any lines. */
interface Step {
  readonly command: string;
  readonly printed: string;
}

/** The state before the first block of a page. */
interface Stage {
  /** Files by their name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The real text for a text on the page, such as an address. */
  readonly real?: Readonly<Record<string, string>>;
}

/** Address that a document shows for the local platform. */
const SHOWN_URL = 'http://127.0.0.1:4010';

/** The time in the id of a run, as documents show it. */
const SHOWN_TIME = '20261121-101502-';

/** The folder with the journals of the local platform, as documents show it. */
const JOURNALS_OF = '127.0.0.1-4010-7b050c22';

/** Blocks that are files when their title is a name with a dot. */
const FILE_LANGUAGES = ['yaml', 'csv'] as const;

/** Languages of the blocks that are played. */
export const PLAYED_LANGUAGES = ['console', ...FILE_LANGUAGES] as const;

/** Plays a page from top to bottom, see `playBlocks`. */
export function playPage(document: string, stage: Stage = {}): Promise<void> {
  return playBlocks(documentBlocks(document, ...PLAYED_LANGUAGES), stage);
}

/**
 * Plays blocks of a page in an empty folder with `fixtures` in it. Blocks titled with a file name are written. A block
 * `console serve` starts the local platform (again at the same address, if one runs). The commands of other `console`
 * blocks are typed and have to print the text of the page; those that need no shell run in this process, and so does the platform. `echo $?` shows the exit code of the previous command. A block
 * `console` with the name of a disturbance, such as `killed`, is disturbed at the next fault of the platform. A `held`
 * block continues from there while the next blocks are typed.
 */
export async function playBlocks(blocks: readonly DocumentBlock[], stage: Stage): Promise<void> {
  const played = new Played(stage);
  try {
    for (const block of blocks) await played.block(block);
    await played.end();
  } finally {
    await played.close();
  }
}

/** A command prints its progress every ten seconds, so a slow machine prints lines that a page does not show. */
const PROGRESS = /^(?:reading[ a-z-]*|sending): .*\n/gm;

/** The platform is named by every command that sends. A page shows the line where it is new. */
const PLATFORM = /^platform: .*\n/gm;

class Played {
  private readonly cwd = temporaryFolder();
  private readonly replaced: Readonly<Record<string, string>>;
  private env: Record<string, string>;
  private server: PlayedServer | undefined;
  private exitCode = 0;
  /** Commands that are held. Each function lets one go on, and resolves when it has printed what the page shows. */
  private readonly held: (() => Promise<void>)[] = [];

  constructor({ files = {}, env = {}, real = {} }: Stage) {
    const bin = join(this.cwd, '.bin');
    mkdirSync(bin);
    symlinkSync(COMMAND, join(bin, 'dataimport'));
    symlinkSync(process.execPath, join(bin, 'node'));
    symlinkSync(join(projectRoot, 'fixtures'), join(this.cwd, 'fixtures'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.cwd, name), text);
    this.env = { PATH: `${bin}:/usr/bin:/bin`, HOME: this.cwd, ...compiledCode(), ...env };
    this.replaced = real;
  }

  async block(block: DocumentBlock): Promise<void> {
    const { language, title, text } = block;
    if (isFile(block)) writeFileSync(join(this.cwd, title), text);
    if (language !== 'console') return;
    const disturbance = title in DISTURBANCES ? (title as Disturbance) : undefined;
    for (const { command, printed } of stepsOf(text)) {
      const shown = printed.replaceAll('^C', '');
      if (title === 'serve') await this.serve(command, shown);
      else if (command.startsWith('export ')) this.env = { ...this.env, ...variables(command) };
      else if (command === 'echo $?') expect(`${this.exitCode}\n`, command).toBe(shown);
      else if (title === 'held') await this.hold(command, shown);
      else {
        const { printed: actual, exitCode } = await this.typed(command, disturbance);
        this.exitCode = exitCode;
        const words = /\bdataimport (.*)$/.exec(command)?.[1];
        if (disturbance === undefined && words !== undefined && !/[;|>]/.test(words))
          expectExplainedExit(words, actual, exitCode);
        this.expectPrinted(actual, { command, shown });
      }
    }
  }

  /** Lets the held commands go on, and waits for their ends. */
  async end(): Promise<void> {
    await Promise.all(this.held.map((goOn) => goOn()));
  }

  async close(): Promise<void> {
    // After a failure a held command must not stay for ever.
    await Promise.allSettled(this.held.map((goOn) => goOn()));
    await this.server?.stop();
  }

  private async serve(command: string, shown: string): Promise<void> {
    await this.server?.stop();
    const args = this.real(command)
      .match(/'[^']*'|\S+/g)!
      .map((word) => word.replaceAll("'", ''));
    const port = String(this.server?.port ?? 0);
    const words = [...args.slice(2), '--port', port];
    // A crash ends its whole process.
    this.server = /\bcrash\b/.test(command)
      ? await startServe(words, { cwd: this.cwd })
      : await serveHere(words, { cwd: this.cwd, env: {} });
    expect(this.normal(this.server.banner)).toMatch(pattern(shown));
  }

  private async hold(command: string, shown: string): Promise<void> {
    const { ended, goOn } = await this.start(command, 'held');
    this.held.push(async () => {
      goOn();
      this.expectPrinted((await ended).printed, { command, shown });
    });
  }

  private async typed(command: string, disturbance: Disturbance | undefined): Promise<Typed> {
    const here = disturbance === undefined ? typedHere(this.real(command), this.shell()) : undefined;
    return here ?? (await this.start(command, disturbance)).ended;
  }

  private start(command: string, disturbance: Disturbance | undefined): Promise<Started> {
    return startCommand(this.real(command), this.shell(), disturbance);
  }

  private shell(): Shell {
    const env = Object.fromEntries(Object.entries(this.env).map(([name, value]) => [name, this.real(value)]));
    return { cwd: this.cwd, env, platformUrl: this.server?.url };
  }

  private expectPrinted(actual: string, step: { readonly command: string; readonly shown: string }): void {
    const unshown = [PROGRESS, PLATFORM].filter((lines) => step.shown.search(lines) < 0);
    const printed = unshown.reduce((text, lines) => text.replaceAll(lines, ''), actual);
    expect(this.normal(printed), step.command).toMatch(pattern(step.shown));
  }

  /** The text as it is typed here. */
  private real(text: string): string {
    return this.pairs()
      .reduce((all, [shown, real]) => all.replaceAll(shown, real), text)
      .replaceAll(new RegExp(`${SHOWN_TIME}\\S+`, 'g'), (id) => this.runLike(id) ?? id);
  }

  /** The newest run whose id ends like one of the page. Only its time differs. */
  private runLike(shown: string): string | undefined {
    const end = shown.slice(SHOWN_TIME.length);
    return readingsOf(journalsIn(this.cwd))
      .map(({ header }) => header.id)
      .find((id) => id.slice(SHOWN_TIME.length).replace(/-\d$/, '') === end);
  }

  /** The text with the page's values for everything that differs from run to run. */
  private normal(text: string): string {
    return normal(this.pairs().reduce((all, [shown, real]) => all.replaceAll(real, shown), text)).replaceAll(
      this.cwd,
      '~',
    );
  }

  private pairs(): readonly (readonly [string, string])[] {
    return [...Object.entries(this.replaced), [SHOWN_URL, this.server?.url ?? SHOWN_URL]];
  }
}

function isFile({ language, title }: DocumentBlock): boolean {
  return FILE_LANGUAGES.some((name) => name === language) && title.includes('.');
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

/** Durations, hashes that seal a time, names of a folder, and in a run's id its time and its number within the second. */
function normal(text: string): string {
  return text
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, '0 ms')
    .replaceAll(`--by ${userInfo().username}`, '--by ada')
    .replaceAll(`, by ${userInfo().username},`, ', by ada,')
    .replaceAll(/127\.0\.0\.1-\d+-[\da-f]{8}/g, JOURNALS_OF)
    .replaceAll(/\b(chain: |holds: )[\da-f]{64}\b/g, '$1HASH')
    .replaceAll(/\d{8}-\d{6}-([a-z-]+-[\da-f]{4})(-\d)?\b/g, `${SHOWN_TIME}$1`)
    .replaceAll(/\d{8}-\d{6}-((?:push|migrate)(?:-[a-z]+)*)(-\d)?\b/g, `${SHOWN_TIME}$1`)
    .replaceAll(/\d{4}-\d\d-\d\d(?=T| \d\d:)[T ][\d:.]+Z/g, '2026-11-21T10:15:02Z');
}

function pattern(printed: string): RegExp {
  const lines = normal(printed)
    .split('\n')
    .map((line) => (line === '…' ? '[^]*' : line.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')))
    .map((line) => line.replaceAll(', …,', ',.*,'));
  return new RegExp(`^${lines.join('\n').replaceAll('[^]*\n', '[^]*')}$`);
}

function variables(command: string): Record<string, string> {
  const pairs = command.split(' ').slice(1);
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}
