import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE } from '../support/built-cli.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { projectRoot } from '../support/source-tree.ts';

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
  dependencies: Record<string, string>;
};

/** The compiler of this project. */
const TSC = join(projectRoot, 'node_modules', 'typescript', 'bin', 'tsc');

/** An installation asks the registry for packages that the cache does not have. */
const INSTALL_TIMEOUT_MS = 300_000;

/** The Node of this run first, so that npm and the command's `env node` find it. */
const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };

let work: string;
let installed: string;
/** The package as npm describes it. */
let packed: {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
};

beforeAll(async () => {
  work = mkdtempSync(join(realpathSync(tmpdir()), 'dataimport-tarball-'));
  installed = join(work, 'installed');
  mkdirSync(installed);
  const { stdout } = await npm(PACKAGE, ['pack', '--json', '--pack-destination', work]);
  [packed] = JSON.parse(stdout) as [typeof packed];
  const options = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await npm(installed, ['install', '--prefix', installed, ...options, join(work, packed.filename)]);
}, INSTALL_TIMEOUT_MS);

afterAll(() => {
  rmSync(work, { recursive: true, force: true, maxRetries: 3 });
});

const npm = (cwd: string, args: readonly string[]) => execa('npm', args, { cwd, env });

function dataimport(...args: readonly string[]) {
  return execa(join(installed, 'node_modules', '.bin', 'dataimport'), args, {
    cwd: installed,
    env,
    reject: false,
  });
}

test('the installed command says its version', async () => {
  expect(await dataimport('--version')).toMatchObject({ exitCode: 0, stdout: manifest.version, stderr: '' });
});

test('the version loads no schema of records and nothing that shows a result', async () => {
  const bin = join(installed, 'node_modules', 'dataimport', 'bin', 'dataimport.js');
  const list = "process.on('exit', () => console.log(Object.keys(require.cache).join('\\n')))";
  const script = `${list}; process.argv.splice(1, 0, '${bin}'); require('${bin}')`;
  const { stdout } = await execa(process.execPath, ['-e', script, '--', '--version'], { cwd: installed });
  const loaded = stdout.split('\n').filter((path) => existsSync(path));
  const texts = loaded.map((path) => readFileSync(path, 'utf8')).join('');
  expect(texts).toContain('// src/cli/main.ts');
  expect(texts).not.toMatch(/^\/\/ (?:node_modules\/zod|src\/cli\/output\/output\.ts)/m);
});

test('the installed demo imports everything it brings', async () => {
  const result = await dataimport('demo');
  expect(result).toMatchObject({ exitCode: 0 });
  expect(result.stdout).toContain('to the penny');
});

describe('`dataimport/server`', () => {
  /** An example of docs/serve.md or its reference, as a file of the project that the package is installed in. */
  function example(language: string): string {
    const block = ['docs/serve.md', 'docs/serve-reference.md']
      .flatMap((page) => documentBlocks(page, language))
      .find(({ title }) => title === 'example');
    const file = join(installed, `example.${language}`);
    writeFileSync(file, block!.text);
    return file;
  }

  test('the example of docs/serve.md runs in JavaScript, and the process ends by itself', async () => {
    const { stdout, stderr } = await execa(process.execPath, [example('mjs')], { cwd: installed });
    expect({ stdout, stderr }).toEqual({
      stdout: '201 NOTE_CREATION_SUCCESS\n201 NOTE_CREATION_SUCCESS',
      stderr: '',
    });
  });

  test('`require` gets the same', async () => {
    const script = `const { startServer } = require('dataimport/server');
startServer().then(async (platform) => { console.log((await platform.ledger()).length); await platform.close(); });`;
    const { stdout } = await execa(process.execPath, ['-e', script], { cwd: installed });
    expect(stdout).toBe('0');
  });

  /** Compiles with all checks, also of the declarations. */
  function compile(
    files: readonly string[],
    { lib, ...flags }: Readonly<Record<'lib' | 'module' | 'moduleResolution', string>>,
  ) {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
    const words = Object.entries({ ...flags, target: 'es2024', lib, types: '' }).flatMap(([flag, value]) => [
      `--${flag}`,
      value,
    ]);
    return execa(process.execPath, [TSC, ...strict, '--ignoreConfig', ...words, ...files], {
      cwd: installed,
      reject: false,
    });
  }

  const program = (name: string, text: string): string => {
    const file = join(installed, name);
    writeFileSync(file, `import { startServer } from 'dataimport/server';\n${text}\n`);
    return file;
  };

  test.each([
    ['nodenext', 'nodenext'],
    ['preserve', 'bundler'],
  ])(
    'the example in TypeScript and CommonJS compile with all checks, and a wrong program does not (%s, %s)',
    async (module, moduleResolution) => {
      const wrong = program('wrong.mts', "await startServer({ port: '0' });");
      // A bundler has no CommonJS of its own.
      const typed =
        module === 'nodenext'
          ? [program('typed.cts', 'void startServer().then(({ url }) => url.length);')]
          : [];
      const flags = { module, moduleResolution, lib: 'es2024,dom' };
      const { stdout } = await compile([example('mts'), wrong, ...typed], flags);
      const errors = stdout.match(/^.*error TS\d+/gm);
      expect(errors).toEqual([expect.stringMatching(/^wrong\.mts\(2,\d+\): error TS2322$/)]);
    },
  );

  test('nothing else of the package can be imported', async () => {
    const script = "import('dataimport/dist/server/public.js').catch(({ code }) => console.log(code))";
    const { stdout } = await execa(process.execPath, ['-e', script], { cwd: installed });
    expect(stdout).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

test('the packages that the code requires are the ones that npm installs with it', () => {
  const dist = join(installed, 'node_modules', 'dataimport', 'dist');
  const code = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .map((path) => readFileSync(join(dist, path), 'utf8'));
  const named = code.flatMap((text) =>
    [...text.matchAll(/\brequire\("([^."][^"]*)"\)/g)].map(([, name]) => name!),
  );
  // ajv names a part of itself for code that it writes to a file, which nobody does here.
  const isRequired = (name: string) => !isBuiltin(name) && !name.startsWith('ajv/dist/runtime/');
  expect(new Set(named.filter(isRequired))).toEqual(new Set(Object.keys(manifest.dependencies)));
});

test('a start of serve loads no other command, no HTTP client and no YAML parser, and nothing of the page', async () => {
  const hook = join(work, 'loaded.cjs');
  const loaded = join(work, 'loaded.json');
  writeFileSync(
    hook,
    `const fs = require('node:fs');
    const [read, files] = [fs.readFileSync, []];
    fs.readFileSync = (file, ...others) => (files.push(String(file)), read(file, ...others));
    process.on('exit', () => fs.writeFileSync(${JSON.stringify(loaded)}, JSON.stringify({ files,
      names: Object.keys(require.cache).map((path) => require('node:path').basename(path)) })));`,
  );
  const serve = execa(
    process.execPath,
    ['--require', hook, 'node_modules/.bin/dataimport', 'serve', '--port', '0', '--db', ':memory:', '--json'],
    { cwd: installed },
  );
  for await (const line of serve) if (line.includes('"ready"')) serve.kill('SIGINT');
  const { names, files } = JSON.parse(readFileSync(loaded, 'utf8')) as Record<
    'names' | 'files',
    readonly string[]
  >;
  // The hook sees what is read.
  expect(files.filter((file) => file.endsWith('package.json'))).not.toEqual([]);
  expect(files.filter((file) => file.includes('/ui/'))).toEqual([]);
  expect(names.filter((name) => name.startsWith('start-'))).toHaveLength(1);
  const dispensable =
    /^(push|check|resume|retry|runs|inspect|map-\w+|demo|replay|connection|http-platform|config-tree|progress|failure|page|run-(?:file|database|document|header)|ora)-/;
  expect(names.filter((name) => dispensable.test(name))).toEqual([]);
});

test('the installed package serves its page', async () => {
  const serve = execa(
    process.execPath,
    ['node_modules/.bin/dataimport', 'serve', '--port', '0', '--db', ':memory:', '--json'],
    { cwd: installed },
  );
  for await (const line of serve) {
    if (!line.includes('"ready"')) continue;
    const { url } = JSON.parse(line) as { url: string };
    const statuses = ['', '/app.js', '/htm.js', '/base.css'].map(
      async (file) => (await fetch(`${url}/_local/ui${file}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
    serve.kill('SIGINT');
  }
});

test('the licences of what is bundled go with it', () => {
  const dist = join(installed, 'node_modules', 'dataimport', 'dist');
  const text = readFileSync(join(dist, 'LICENSES.txt'), 'utf8');
  const named = [...text.matchAll(/^([@a-z][\w./-]*) \d+\.\d+\.\d+\S*$/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(['commander', 'htm', 'preact', 'undici', 'yaml', 'zod']));
  // The bundler writes the name of every source file that it takes.
  const taken = readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => [
      ...readFileSync(join(dist, path), 'utf8').matchAll(
        /^\s*\/\/.*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm,
      ),
    ])
    .map(([, name]) => name!);
  expect(new Set(taken).size).toBeGreaterThan(10);
  // The file of htm contains Preact.
  expect([...taken, 'htm', 'preact'].filter((name) => !named.includes(name))).toEqual([]);
  expect(text.match(/permission|licen[cs]e/gi)!.length).toBeGreaterThan(named.length);
});

describe('the pages of the package', () => {
  const packageFolder = () => join(installed, 'node_modules', 'dataimport');

  test('include every page that a text of the program names, in the folder that help names', async () => {
    const { stdout } = await dataimport('--help');
    const folder = /^The folder docs: (.+)$/m.exec(stdout)![1]!;
    const dist = join(packageFolder(), 'dist');
    const code = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.m?js$/.test(path))
      .map((path) => readFileSync(join(dist, path), 'utf8'));
    const named = new Set(code.flatMap((text) => text.match(/\bdocs\/[\w-]+\.md\b/g) ?? []));
    expect(named).toContain('docs/exit-codes.md');
    expect([...named].filter((page) => !existsSync(join(folder, '..', page)))).toEqual([]);
  });

  test('begin with a README of its own, whose links and commands exist', async () => {
    const text = readFileSync(join(packageFolder(), 'README.md'), 'utf8');
    const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!);
    expect(links).toContain('docs/runs.md');
    expect(links.filter((link) => !existsSync(join(packageFolder(), link)))).toEqual([]);
    const commands = new Set([...text.matchAll(/\bdataimport (\w+)/g)].map(([, name]) => name!));
    for (const name of commands)
      if (name !== 'moves') expect((await dataimport(name, '--help')).exitCode).toBe(0);
  });
});

test('the package has the files that it is meant to have, within their sizes', () => {
  const { files, size } = packed;
  /** The most bytes of each folder. Files that a build names by their hash have no names here. */
  const limits: Readonly<Record<string, number>> = {
    LICENSE: 2_000,
    'README.md': 12_000,
    'CHANGELOG.md': 20_000,
    'package.json': 8_000,
    bin: 12_000,
    completions: 40_000,
    'dist/LICENSES.txt': 120_000,
    'dist/chunks': 6_000_000,
    'dist/cli': 200_000,
    'dist/package.json': 100,
    'dist/sbom.cdx.json': 60_000,
    'dist/server': 200_000,
    'dist/ui': 220_000,
    docs: 1_000_000,
    examples: 80_000,
    fixtures: 1_500_000,
  };
  const sizes = new Map<string, number>();
  for (const file of files) {
    const place =
      Object.keys(limits).find((name) => file.path === name || file.path.startsWith(`${name}/`)) ?? file.path;
    sizes.set(place, (sizes.get(place) ?? 0) + file.size);
  }
  expect([...sizes.keys()].filter((place) => !(place in limits))).toEqual([]);
  expect(Object.keys(limits).filter((place) => !sizes.has(place) && place !== 'CHANGELOG.md')).toEqual([]);
  expect([...sizes].filter(([place, bytes]) => bytes > limits[place]!)).toEqual([]);
  expect(size).toBeLessThan(2_200_000);
});

test('the bill of materials has each bundled package, with its licence and hash', () => {
  const dist = join(installed, 'node_modules', 'dataimport', 'dist');
  const { components } = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8')) as {
    components: readonly {
      readonly name: string;
      readonly version: string;
      readonly licenses: readonly [{ readonly expression: string }];
      readonly hashes?: unknown;
    }[];
  };
  const licences = readFileSync(join(dist, 'LICENSES.txt'), 'utf8');
  const bundled = [...licences.matchAll(/^([@a-z][\w./-]*) (\d+\.\d+\.\d+\S*)$/gm)].map(([text]) => text);
  expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual(
    expect.arrayContaining(bundled),
  );
  expect(components.map(({ name }) => name)).toContain('better-sqlite3');
  expect(
    components.filter(({ licenses, hashes }) => !licenses[0].expression || hashes === undefined),
  ).toEqual([]);
});
