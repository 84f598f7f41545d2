import type { Io } from '../outside/io.ts';

/**
 * Whether a command line, or the environment, has a flag that decides how a failure is shown. The words are searched, because before
 * they are parsed, and after a usage error, no parsed flag exists.
 */
export function isTyped(
  flag: '--json' | '--no-color',
  argv: readonly string[],
  { env }: Pick<Io, 'env'>,
): boolean {
  const end = argv.indexOf('--');
  if ((end < 0 ? argv : argv.slice(0, end)).includes(flag)) return true;
  const variable = `DATAIMPORT_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
  return ['1', 'true', 'yes', 'on'].includes((env[variable] ?? '').toLowerCase());
}
