import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { command } from './command.ts';
import { installInto, PLACE } from './installed-tree.ts';
import { manPages } from './man-pages.ts';

/** Where Debian keeps the script of each shell. */
const COMPLETIONS = {
  bash: 'usr/share/bash-completion/completions/dataimport',
  fish: 'usr/share/fish/vendor_completions.d/dataimport.fish',
  zsh: 'usr/share/zsh/vendor-completions/_dataimport',
};

/** Rules of Debian that the bundled Node and a package without a public address break. */
const OVERRIDES = [
  'embedded-library',
  'unstripped-binary-or-object',
  'bogus-mail-host *',
  'shared-library-lacks-prerequisites *',
  'hardening-no-fortify-functions *',
  'hardening-no-bindnow *',
  'spelling-error-in-binary *',
  'unusual-interpreter *',
  'package-contains-documentation-outside-usr-share-doc *',
  'national-encoding *',
];

/** The facts of a version that a Debian package states. */
export interface DebianFacts {
  readonly version: string;
  readonly description: string;
  /** As Debian names the processor: `amd64`. */
  readonly architecture: string;
  /** Seconds since 1970. */
  readonly date: string;
}

/** Builds a Debian package with dpkg-deb from a staged package that has SQLite. */
export async function buildDebianPackage(
  facts: DebianFacts,
  staged: string,
  node: string,
  work: string,
  output: string,
): Promise<void> {
  const tree = join(work, 'debian');
  const write = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text, { mode: 0o644 });
  };
  installInto(tree, staged, node);
  for (const [shell, path] of Object.entries(COMPLETIONS)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    cpSync(join(staged, 'completions', `dataimport.${shell}`), join(tree, path));
  }
  for (const [name, text] of await manPages(facts.version, PLACE))
    write(`usr/share/man/man1/${name}.gz`, gzipSync(text, { level: 9 }));
  const licences = ['LICENSE', 'dist/LICENSES.txt'].map((path) => readFileSync(join(staged, path), 'utf8'));
  write('usr/share/doc/dataimport/copyright', licences.join(`\n${'-'.repeat(80)}\n\n`));
  const date = command('date', ['-uR', '-d', `@${facts.date}`]).trim();
  const entry = `dataimport (${facts.version}) unstable; urgency=low\n\n  * See ${PLACE}/CHANGELOG.md.\n\n -- ${MAINTAINER}  ${date}\n`;
  write('usr/share/doc/dataimport/changelog.gz', gzipSync(entry, { level: 9 }));
  write('usr/share/lintian/overrides/dataimport', OVERRIDES.map((rule) => `dataimport: ${rule}\n`).join(''));
  write('DEBIAN/control', control(facts));
  // The umask of this machine is not that of the package.
  command('chmod', ['-R', 'u=rwX,go=rX', tree]);
  command('dpkg-deb', ['--root-owner-group', '-Zxz', '-z1', '--build', tree, output], {
    env: { SOURCE_DATE_EPOCH: facts.date },
  });
}

/** No public address is known. */
const MAINTAINER = 'The authors of dataimport <dataimport@localhost.localdomain>';

function control({ version, description, architecture }: DebianFacts): string {
  return `Package: dataimport
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1
Section: utils
Priority: optional
Description: imports records of customer accounts from CSV files
 ${description}
 .
 The package has its own Node and SQLite.
`;
}
