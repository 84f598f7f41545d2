import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { writeSums } from '../../scripts/release/checksums.ts';
import { manPages } from '../../scripts/release/man-pages.ts';
import { COMMANDS } from '../../src/cli/program/command-list.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('each command has a man page with the usage, flags and examples of its help', async () => {
  const pages = await manPages('1.2.3', '/usr/lib/dataimport');
  const expected = COMMANDS.map(({ name }) => `dataimport-${name.replaceAll(' ', '-')}.1`);
  expect([...pages.keys()]).toEqual(expect.arrayContaining(['dataimport.1', ...expected]));
  const page = pages.get('dataimport-schema.1')!;
  expect(page).toMatch(/^\.TH "DATAIMPORT-SCHEMA" "1" "" "dataimport 1\.2\.3" "User Commands"$/m);
  expect([...page.matchAll(/^\.SH (.+)$/gm)].map(([, title]) => title)).toEqual(
    expect.arrayContaining(['NAME', '"SYNOPSIS"', '"PLATFORM"', '"EXAMPLES"']),
  );
  expect(page).toContain('\\-\\-contract <file>');
  // No line of a text is a request of roff.
  const requests = [...pages.values()].flatMap((text) => text.match(/^[.'].*$/gm) ?? []);
  expect(requests.filter((line) => !/^\.(?:TH|SH|nf|fi)\b/.test(line))).toEqual([]);
});

test('the sums are those that sha256sum checks, and the signature is over all of them', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.tgz'), 'a');
  writeFileSync(join(folder, 'b.tgz'), 'b');
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeSums(folder, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  const sums = readFileSync(join(folder, 'SHA256SUMS'));
  const check = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
  expect(check).toBe('a.tgz: OK\nb.tgz: OK\n');
  const signature = readFileSync(join(folder, 'SHA256SUMS.sig'));
  expect(verify(null, sums, publicKey, signature)).toBe(true);
  expect(verify(null, Buffer.concat([sums, Buffer.from('\n')]), publicKey, signature)).toBe(false);
});

test('a program that is missing is one sentence, and the last release stays', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'SHA256SUMS'), '');
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(projectRoot, 'scripts/release.ts'), '--folder', folder, 'image'],
    { env: { PATH: temporaryFolder() }, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([
    1,
    'release: buildah is not installed, and the part image needs it; name the other parts to build them without it\n',
  ]);
  expect(readdirSync(folder)).toEqual(['SHA256SUMS']);
});

test('the workflows run commands that exist', () => {
  const folder = join(projectRoot, '.github', 'workflows');
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const commands = readdirSync(folder).flatMap((name) => runsOf(readFileSync(join(folder, name), 'utf8')));
  const called = commands.flatMap((text) =>
    [...text.matchAll(/\bnpm (?:run )?(test|(?<=run )[a-z:-]+)\b/g)].map(([, name]) => name!),
  );
  expect(new Set(called)).toEqual(new Set(['test', 'build', 'two-users', 'release']));
  expect(called.filter((name) => !(name in scripts))).toEqual([]);
  const files = commands.flatMap((text) => text.match(/\bscripts\/[\w.-]+/g) ?? []);
  expect(files).toContain('scripts/try-release.mjs');
  expect(files.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([]);
});

/** The commands of a workflow. */
function runsOf(text: string): readonly string[] {
  const { jobs } = parse(text) as {
    jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
  };
  return Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
  );
}
