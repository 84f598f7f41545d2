import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * The Node that tools/dev pins, as npm installed it for this machine; undefined when it is not installed.
 * node_modules/.bin/node would be shorter, but npm 10 does not leave it in place.
 */
export function pinnedNode(root) {
  const dev = JSON.parse(readFileSync(join(root, 'tools', 'dev', 'package.json'), 'utf8'));
  const os = process.platform === 'win32' ? 'win' : process.platform;
  return Object.keys(dev.optionalDependencies)
    .filter((name) => new RegExp(`^node-(bin-)?${os}-${process.arch}$`).test(name))
    .map((name) => join(root, 'node_modules', name, 'bin', os === 'win' ? 'node.exe' : 'node'))
    .find((path) => existsSync(path));
}

/** This environment with a Node first on PATH, however Windows spells that name. */
export function environmentWith(node) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  return { ...process.env, [key]: [dirname(node), process.env[key]].filter(Boolean).join(delimiter) };
}
