import { readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { projectRoot } from '../support/source-tree.ts';

/** A text of the product and the text that replaces it. */
export interface Replacement {
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/** Bundles the project with texts replaced into folders of its own. */
export interface PatchedProject {
  /**
   * Loads the exports of some modules with the texts replaced. The product, the harness and their state are loaded anew.
   * @throws Error when a file does not contain a text exactly once
   */
  load<Exports>(modules: readonly string[], replacements: readonly Replacement[]): Promise<Exports>;
}

/** The bundles are in `folder`. */
export function patchedProject(folder: string): PatchedProject {
  // The packages are not bundled.
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const require = createRequire(join(folder, 'load.cjs'));
  let bundles = 0;
  return {
    async load<Exports>(modules: readonly string[], replacements: readonly Replacement[]): Promise<Exports> {
      const patched = patchedFiles(replacements);
      const entry = '\0entry';
      const bundle = await rolldown({
        cwd: projectRoot,
        input: entry,
        platform: 'node',
        external: (name, importer) => importer !== undefined && !/^[./\0]/.test(name),
        plugins: [
          {
            name: 'patches',
            resolveId: (name) => (name === entry ? entry : undefined),
            load: (path) =>
              path === entry
                ? modules
                    .map((file) => `export * from ${JSON.stringify(join(projectRoot, file))};\n`)
                    .join('')
                : patched.get(path),
          },
        ],
      });
      const file = join(folder, `${++bundles}.cjs`);
      await bundle.write({ file, format: 'cjs', codeSplitting: false });
      await bundle.close();
      return require(file) as Exports;
    },
  };
}

/** The texts of the files, by their paths, with all replacements made. */
function patchedFiles(replacements: readonly Replacement[]): ReadonlyMap<string, string> {
  const patched = new Map<string, string>();
  for (const { file, text, by } of replacements) {
    const path = join(projectRoot, file);
    const parts = (patched.get(path) ?? readFileSync(path, 'utf8')).split(text);
    if (parts.length !== 2) throw new Error(`${file} contains this ${parts.length - 1} times: ${text}`);
    patched.set(path, parts.join(by));
  }
  return patched;
}
