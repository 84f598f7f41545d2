import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a Debian package and an image have the program. */
export const PLACE = '/usr/lib/dataimport';

/** Starts the program with the Node beside it, and needs no shell. */
const LAUNCHER = `#!${PLACE}/node\nrequire('${PLACE}/bin/dataimport.js');\n`;

/** Puts a staged package that has SQLite, and its Node, into a tree of folders, with the command in /usr/bin. */
export function installInto(tree: string, staged: string, node: string): void {
  cpSync(staged, join(tree, PLACE), { recursive: true });
  cpSync(node, join(tree, PLACE, 'node'), { dereference: true });
  chmodSync(join(tree, PLACE, 'node'), 0o755);
  mkdirSync(join(tree, 'usr', 'bin'), { recursive: true });
  writeFileSync(join(tree, 'usr', 'bin', 'dataimport'), LAUNCHER);
  chmodSync(join(tree, 'usr', 'bin', 'dataimport'), 0o755);
}
