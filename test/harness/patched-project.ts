import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/source-tree.ts';

/** A text of the product and the text that replaces it. */
export interface Replacement {
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/** Everything that a campaign needs besides the packages. */
const PARTS = ['src', 'bin', 'scripts/campaign.ts', 'test/harness', 'test/support', 'package.json'];

/**
 * A copy of the project with texts replaced, in place of what the folder contains.
 * @throws Error when the file does not contain a text exactly once
 */
export function patchedProject(folder: string, replacements: readonly Replacement[]): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  for (const part of PARTS) cpSync(join(projectRoot, part), join(folder, part), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, text, by } of replacements) {
    const path = join(folder, file);
    const parts = readFileSync(path, 'utf8').split(text);
    if (parts.length !== 2) throw new Error(`${file} contains this ${parts.length - 1} times: ${text}`);
    writeFileSync(path, parts.join(by));
  }
}
