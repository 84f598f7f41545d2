import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tarOf } from './archive.ts';
import { command } from './command.ts';
import { installInto } from './installed-tree.ts';

/** The user of the image, by number, because Kubernetes compares it with runAsNonRoot. */
const USER = '10001:10001';

/** Works without a daemon and without mounts, as any user that may do chroot. */
const BUILDAH = { STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' };

/**
 * Builds an image from nothing but Node, the libraries that it loads, and a staged package that has SQLite, as an OCI archive.
 * The user is not root, and nothing but the volume /data has to be writable.
 */
export function buildImage(
  version: string,
  date: string,
  staged: string,
  node: string,
  work: string,
  output: string,
): void {
  const tree = join(work, 'image');
  installInto(tree, staged, node);
  for (const library of librariesOf(node)) {
    mkdirSync(join(tree, dirname(library)), { recursive: true });
    cpSync(realpathSync(library), join(tree, library));
  }
  mkdirSync(join(tree, 'etc'), { recursive: true });
  writeFileSync(join(tree, 'etc', 'passwd'), `dataimport:x:${USER}::/data:/nonexistent\n`);
  mkdirSync(join(tree, 'data'));
  mkdirSync(join(tree, 'tmp'));
  command('chmod', ['-R', 'u=rwX,go=rX', tree]);
  command('chown', ['-R', USER, join(tree, 'data')]);
  command('chmod', ['1777', join(tree, 'tmp')]);
  const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run')];
  const buildah = (...args: readonly string[]): string =>
    command('buildah', [...storage, ...args], { env: BUILDAH }).trim();
  const container = buildah('from', 'scratch');
  buildah('copy', container, tree, '/');
  const settings = {
    user: USER,
    workingdir: '/data',
    volume: '/data',
    entrypoint: '["/usr/bin/dataimport"]',
    cmd: '--help',
    label: `org.opencontainers.image.version=${version}`,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  buildah('config', ...flags, '--env', 'HOME=/data', '--env', 'PATH=/usr/bin', container);
  const layout = join(work, 'oci');
  buildah(
    'commit',
    '--rm',
    '--disable-compression=false',
    '--timestamp',
    date,
    container,
    `oci:${layout}:dataimport:${version}`,
  );
  // An archive of buildah has the time at which its files were written.
  writeFileSync(output, tarOf(layout, date));
}

/** The libraries that a program loads, by the paths under which it looks for them. */
function librariesOf(program: string): readonly string[] {
  return [...command('ldd', [program]).matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!);
}
