import { partsOf, textOf, type Part, type Result, type View } from '../../src/cli/output/result.ts';

const FLAGS = { json: false, quiet: false, verbose: false, progress: false };

/** What a result prints to standard output, without colours. */
export const shownText = (result: Result, view: Partial<View> = {}): string =>
  printed(
    partsOf(result, { ...FLAGS, isTTY: false, ...view }).filter(
      (part) => typeof part === 'string' || !('stderr' in part),
    ),
  );

const printed = (parts: readonly Part[]): string => parts.map((part) => textOf(part)).join('');
