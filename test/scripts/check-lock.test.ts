import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const manifest = { dependencies: { tool: '^1.0.0' } };
const tool = { version: '1.0.0', optionalDependencies: { 'tool-darwin': '1.0.0' } };
const complete = {
  '': manifest,
  'node_modules/tool': tool,
  'node_modules/tool/node_modules/tool-darwin': { version: '1.0.0' },
  'node_modules/@own/dev': { resolved: 'tools/dev', link: true },
};

async function check(packages: Record<string, unknown>) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  const script = join(projectRoot, 'scripts', 'check-lock.mjs');
  return execa(process.execPath, [script, folder], { reject: false });
}

test('a lock that works on every machine passes', async () => {
  expect(await check(complete)).toMatchObject({ exitCode: 0, stderr: '' });
});

test.each([
  [
    'the binary of another platform is missing',
    { '': manifest, 'node_modules/tool': tool },
    'tool@1.0.0 lacks its optional tool-darwin@1.0.0',
  ],
  ['package.json has changed since', { ...complete, '': {} }, 'dependencies differ from package.json'],
  [
    'it names a registry',
    { ...complete, 'node_modules/tool': { ...tool, resolved: 'https://registry.example/tool.tgz' } },
    'node_modules/tool is tied to https://registry.example/tool.tgz',
  ],
  [
    'it names a path outside the project',
    { ...complete, 'node_modules/@own/dev': { resolved: '../dev', link: true } },
    'node_modules/@own/dev is tied to ../dev',
  ],
  [
    'a package runs a script when it is installed',
    { ...complete, 'node_modules/tool': { ...tool, hasInstallScript: true } },
    'tool@1.0.0 runs a script when it is installed',
  ],
])('it fails when %s', async (_, packages, fault) => {
  const result = await check(packages);
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain(`package-lock.json: ${fault}`);
});

test('what is installed with the package has no script for its installation either', () => {
  const { dependencies } = manifestOf(projectRoot);
  for (const name of Object.keys(dependencies)) {
    const folder = join(projectRoot, 'node_modules', name);
    const { scripts = {}, gypfile } = manifestOf(folder);
    const run = Object.keys(scripts).filter((script) => /^(pre|post)?install$|^prepare$/.test(script));
    expect([name, run]).toEqual([name, []]);
    // For this file npm would run node-gyp.
    if (existsSync(join(folder, 'binding.gyp'))) expect(gypfile).toBe(false);
    expect(readdirSync(folder)).toContain('LICENSE');
  }
});

function manifestOf(folder: string) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly scripts?: Readonly<Record<string, string>>;
    readonly gypfile?: boolean;
  };
}
