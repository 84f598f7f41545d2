import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verificationDocument, type Verification } from '../../src/cli/verify/verification-schema.ts';
import type { Migration } from './migration.ts';

/** What `verify --json` says with these words. */
export async function verified({ cli }: Pick<Migration, 'cli'>, ...words: readonly string[]) {
  const { exitCode, json, stdout, stderr } = await cli('verify', ...words, '--json');
  return {
    exitCode,
    stdout,
    stderr,
    /** The document, where the command came to its end. */
    get found(): Verification {
      return verificationDocument.parse(json());
    },
  };
}

/** The page that `verify` writes with these words, in one line and without its style. */
export async function verifiedPage(
  { cli, cwd }: Pick<Migration, 'cli' | 'cwd'>,
  ...words: readonly string[]
): Promise<string> {
  await cli('verify', ...words, '--html', 'page.html');
  const page = readFileSync(join(cwd, 'page.html'), 'utf8');
  return page.replace(/<style>.*<\/style>/s, '').replaceAll(/\s+/g, ' ');
}
