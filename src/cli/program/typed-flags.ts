import type { Io } from '../outside/io.ts';

// Flags that decide how a failure is shown. They are looked for in the command line itself, because before it is parsed, and
// after a usage error, no parsed flag exists.

/** Whether the user wants standard output to be one JSON document. */
export function wantsJson(argv: readonly string[], io: Pick<Io, 'env'>): boolean {
  return isGiven('--json', argv, io);
}

/** Whether the user lets messages have colours. */
export function allowsColor(argv: readonly string[], io: Pick<Io, 'env'>): boolean {
  return !isGiven('--no-color', argv, io);
}

function isGiven(flag: string, argv: readonly string[], { env }: Pick<Io, 'env'>): boolean {
  const end = argv.indexOf('--');
  if ((end < 0 ? argv : argv.slice(0, end)).includes(flag)) return true;
  const variable = `DATAIMPORT_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`;
  return ['1', 'true', 'yes', 'on'].includes((env[variable] ?? '').toLowerCase());
}
