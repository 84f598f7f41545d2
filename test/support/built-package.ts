import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { TestProject } from 'vitest/node';
import { projectRoot } from './source-tree.ts';

/**
 * Builds the package once for all tests that start the command, because a start from the sources takes three times as long.
 * `DATAIMPORT_TEST_PACKAGE` names the folder. The checkout's own `dist` is not touched.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'dataimport-package-'));
  // Some tests start the command as another user.
  chmodSync(folder, 0o755);
  const { files } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    files: string[];
  };
  const shipped = ['package.json', 'LICENSE', ...files.filter((path) => path !== 'dist')];
  for (const path of shipped.filter((name) => existsSync(join(projectRoot, name))))
    cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  cpSync(join(projectRoot, 'scripts', 'release', 'README.md'), join(folder, 'README.md'));
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const build = async (): Promise<void> => {
    await execa(process.execPath, [join(projectRoot, 'scripts', 'build.mjs'), join(folder, 'dist')]);
  };
  await build();
  project.onTestsRerun(build);
  process.env['DATAIMPORT_TEST_PACKAGE'] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
