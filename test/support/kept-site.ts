import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { migration, type Migration } from './migration.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Cli = Migration['cli'];

/** A folder with files and runs, whose platform is gone. Commands that send nothing do not need it. */
export interface KeptSite {
  readonly site: Migration;
  readonly cwd: string;
  readonly cli: Cli;
  /** The lines of the ledger as the platform had it. */
  readonly ledger: readonly string[];
}

/** How a kept site is made. */
export interface Making {
  readonly site: Migration;
  readonly cli: Cli;
  /** Pushes, and returns the run. */
  push(...argv: readonly string[]): Promise<string>;
  csv(name: string, ...lines: readonly string[]): void;
}

/** A folder that the first test makes and the tests of a file share, with what `make` returns. */
export function keptSite<T>(seed: string, make: (making: Making) => Promise<T>): () => Promise<KeptSite & T> {
  let folder: string | undefined;
  let made: Promise<KeptSite & T> | undefined;
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const first = async () => {
    const cwd = (folder = mkdtempSync(join(realpathSync(tmpdir()), 'dataimport-kept-')));
    const site = await migration(seed);
    const cli: Cli = (...argv) => site.cliIn({ cwd }, ...argv);
    const push = async (...argv: readonly string[]) => {
      const words = ['push', ...argv, '-j', '1', '--json'];
      return String((await site.cliIn({ cwd, chance: 0.5, maxWaits: 3 }, ...words)).json()['run']);
    };
    const more = await make({ site, cli, push, csv: (file, ...lines) => writeLines(cwd, file, lines) });
    const ledger = await (await fetch(`${site.url}/_local/ledger`)).text();
    return { site, cwd, cli, ledger: ledger.trimEnd().split('\n'), ...more };
  };
  return () => (made ??= first());
}

/** The same in a folder of the test's own, for commands that change runs. */
export function copied<K extends KeptSite>(kept: K): K {
  const cwd = temporaryFolder();
  cpSync(kept.cwd, cwd, { recursive: true });
  return { ...kept, cwd, cli: (...argv) => kept.site.cliIn({ cwd }, ...argv) };
}

/** The flags of a ledger with the lines of the platform, or with what a test makes of them. */
export function ledgerFlags(
  { cwd, ledger }: KeptSite,
  change = (lines: readonly string[]) => lines,
): readonly string[] {
  writeLines(cwd, 'ledger.ndjson', change(ledger));
  return ['--ledger', 'ledger.ndjson'];
}

/** Writes a file that others cannot read. */
export function writeLines(cwd: string, file: string, lines: readonly string[]): void {
  writeFileSync(join(cwd, file), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
}
