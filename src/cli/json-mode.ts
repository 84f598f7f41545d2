import type { Io } from './io.ts';

/**
 * Whether standard output is to be one JSON document. Looked for in the command line itself: before it is read, and after
 * a usage error, there are no flags to ask.
 */
export function wantsJson(argv: readonly string[], { env }: Pick<Io, 'env'>): boolean {
  const end = argv.indexOf('--');
  const typed = (end < 0 ? argv : argv.slice(0, end)).includes('--json');
  return typed || ['1', 'true', 'yes', 'on'].includes((env['DATAIMPORT_JSON'] ?? '').toLowerCase());
}
