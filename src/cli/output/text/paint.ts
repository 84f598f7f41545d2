import { styleText } from 'node:util';
import type { Severity } from '../../../core/problem.ts';
import type { Io, TextOutput } from '../../outside/io.ts';

/** Styles for the parts of a problem. Each returns the text as one stream shows it. */
export type Paint = Readonly<Record<Severity | 'place', (text: string) => string>>;

/** No colours. */
export const PLAIN: Paint = { error: (text) => text, warning: (text) => text, place: (text) => text };

const COLORED: Paint = { error: styled('red'), warning: styled('yellow'), place: styled('cyan') };

function styled(color: 'red' | 'yellow' | 'cyan'): (text: string) => string {
  // `mayColor` has looked at the stream that the text goes to. Node would look at standard output only.
  return (text) => styleText(color, text, { validateStream: false });
}

/** The styles for a stream. */
export function paintFor(output: TextOutput, io: Pick<Io, 'env'>): Paint {
  return mayColor(output, io) ? COLORED : PLAIN;
}

/**
 * `FORCE_COLOR` decides as in Node: it comes before `NO_COLOR` (https://no-color.org) and before the kind of the stream.
 * A dumb terminal understands no colours.
 */
export function mayColor(output: TextOutput, { env }: Pick<Io, 'env'>): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return output.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}
