import type { Io } from '../outside/io.ts';

/**
 * Whether the user wants standard output to be one JSON document. The words are searched, because before they are parsed, and after a
 * usage error, no parsed flag exists.
 */
export function wantsJson(argv: readonly string[], { env }: Pick<Io, 'env'>): boolean {
  const end = argv.indexOf('--');
  if ((end < 0 ? argv : argv.slice(0, end)).includes('--json')) return true;
  return ['1', 'true', 'yes', 'on'].includes((env['DATAIMPORT_JSON'] ?? '').toLowerCase());
}
