/** A path without the names of its segments and without its last slash. */
export const comparablePath = (path: string): string =>
  path.replaceAll(/\{[^}]*\}|:\w+/g, '*').replace(/\/$/, '');

/** How a path begins before the path that requests go to. Undefined where it does not end with that. */
export function pathBefore(path: string, requested: string): string | undefined {
  const [present, wanted] = [comparablePath(path), comparablePath(requested)];
  return present.endsWith(wanted) ? present.slice(0, -wanted.length) : undefined;
}
