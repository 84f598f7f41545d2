// The changes that StrykerJS makes to files.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PACKAGE = '@stryker-mutator/instrumenter';
const VERSION = '10.1.1';

/** A change of the code in one place. `id` tells it from the others of this run; `column` counts from 1. */
export interface Change {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly kind: string;
  readonly replacement: string;
  /** Whether the code says that it makes no difference. */
  readonly isIgnored: boolean;
}

/** What is used of the package. Its lines and columns count from 0. */
interface Instrumenter {
  instrument(
    files: readonly { name: string; mutate: true; content: string }[],
    options: object,
  ): Promise<{
    files: readonly { name: string; content: string }[];
    mutants: readonly {
      id: string;
      fileName: string;
      mutatorName: string;
      replacement: string;
      status?: string;
      location: { start: { line: number; column: number } };
    }[];
  }>;
}

/** The changes of files, and the text of each file with all of them, each behind a switch. */
export async function changesOf(
  root: string,
  paths: readonly string[],
  folder: string,
): Promise<{ changes: readonly Change[]; sources: ReadonlyMap<string, string> }> {
  const install = ['install', '--ignore-scripts', '--silent', '--prefix', folder, `${PACKAGE}@${VERSION}`];
  execFileSync('npm', install, { cwd: folder });
  const url = pathToFileURL(createRequire(join(folder, 'package.json')).resolve(PACKAGE));
  const { Instrumenter } = (await import(url.href)) as { Instrumenter: new (logger: object) => Instrumenter };
  const silent = (): void => undefined;
  const logger = { debug: silent, info: silent, warn: console.warn, isDebugEnabled: () => false };
  const { files, mutants } = await new Instrumenter(logger).instrument(
    paths.map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') })),
    { plugins: null, excludedMutations: [], ignorers: [] },
  );
  return {
    sources: new Map(files.map(({ name, content }) => [join(root, name), content])),
    changes: mutants.map(({ id, fileName, mutatorName, replacement, status, location: { start } }) => ({
      id,
      file: fileName,
      line: start.line + 1,
      column: start.column + 1,
      kind: mutatorName,
      replacement,
      isIgnored: status === 'Ignored',
    })),
  };
}
