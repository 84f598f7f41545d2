import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Migration } from './migration.ts';

/** The page that `report` writes with these words. */
export async function reportPageOf(
  { cli, cwd }: Pick<Migration, 'cli' | 'cwd'>,
  ...words: readonly string[]
): Promise<string> {
  await cli('report', ...words, '--html', 'page.html');
  return readFileSync(join(cwd, 'page.html'), 'utf8');
}
