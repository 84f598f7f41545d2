import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown, type InputOptions, type OutputOptions } from 'rolldown';
import { projectRoot } from '../support/source-tree.ts';

/** A text of the product and the text that replaces it. */
export interface Replacement {
  readonly file: string;
  readonly text: string;
  readonly by: string;
}

/** Some modules of the project and all that they import, translated into a file for each module. */
export interface PatchedProject {
  /**
   * Loads the exports of the modules with texts replaced. The product, the harness and their state are loaded anew.
   * @throws Error when a file does not contain a text exactly once
   */
  load<Exports>(replacements: readonly Replacement[]): Promise<Exports>;
}

/** Translates the modules into `folder`, once. A patch translates only the files that it changes. */
export async function patchedProject(folder: string, modules: readonly string[]): Promise<PatchedProject> {
  // The packages are not translated.
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const translated = join(folder, 'translated');
  const placeOf = (path: string): string =>
    join(translated, relative(projectRoot, path).replace(/\.ts$/, '.cjs'));
  await translate(
    { input: [...modules], external: isPackage },
    {
      dir: translated,
      preserveModules: true,
      preserveModulesRoot: projectRoot,
      entryFileNames: '[name].cjs',
    },
  );
  const require = createRequire(join(folder, 'load.cjs'));
  const unpatched = new Map<string, string>();
  return {
    async load<Exports>(replacements: readonly Replacement[]): Promise<Exports> {
      for (const [place, code] of unpatched) writeFileSync(place, code);
      for (const [path, text] of patchedFiles(replacements)) {
        const place = placeOf(path);
        unpatched.set(place, readFileSync(place, 'utf8'));
        const patch = {
          name: 'patch',
          load: (id: string) => (id === path ? text : undefined),
          resolveId: (name: string, importer: string | undefined) =>
            importer !== path
              ? undefined
              : {
                  id: isPackage(name, importer) ? name : placeOf(resolve(dirname(path), name)),
                  external: true,
                },
        };
        await translate({ input: path, plugins: [patch] }, { file: place, exports: 'named' });
      }
      for (const path of Object.keys(require.cache)) if (path.startsWith(folder)) delete require.cache[path];
      return Object.assign(
        {},
        ...modules.map((file) => require(placeOf(join(projectRoot, file))) as object),
      ) as Exports;
    },
  };
}

/** Whether a name that a module imports is that of a package. */
function isPackage(name: string, importer: string | undefined): boolean {
  return importer !== undefined && !/^[./]/.test(name);
}

/** Writes modules as CommonJS, with all that they export. */
async function translate(input: InputOptions, output: OutputOptions): Promise<void> {
  const bundle = await rolldown({
    cwd: projectRoot,
    platform: 'node',
    treeshake: false,
    makeAbsoluteExternalsRelative: false,
    ...input,
  });
  await bundle.write({ format: 'cjs', ...output });
  await bundle.close();
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
