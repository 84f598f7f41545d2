import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { EXPECTATION_FILE } from './expectation.ts';

/** What the platform of a replay holds at the start. */
export const SEED_FILE = 'seed.yaml';

/**
 * The fixture folders that are meant by the folders that were typed: each itself, or those right below it by name.
 * @throws AppError `replay_folder_unknown`
 */
export function fixtureFolders(typed: readonly string[], cwd: string): readonly string[] {
  const found = typed.flatMap((folder) => {
    if (isFixture(resolve(cwd, folder))) return [folder];
    const below = foldersIn(resolve(cwd, folder)).map((name) => join(folder, name));
    const fixtures = below.filter((name) => isFixture(resolve(cwd, name)));
    if (fixtures.length === 0) throw new AppError('replay_folder_unknown', { folder });
    return fixtures;
  });
  return [...new Set(found)];
}

function isFixture(folder: string): boolean {
  return [EXPECTATION_FILE, SEED_FILE].some((file) => existsSync(join(folder, file)));
}

function foldersIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}
