import type { CommandContext } from '../command/command.ts';
import type { ExitName } from '../output/exit-codes.ts';
import { exitDocument, withSafeText } from '../output/json.ts';
import { showFailure } from '../output/output.ts';

/** Written at once, in UTF-16 units. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Prints the records of an answer while they arrive, because all of them may be larger than the memory. With --json they are
 * the list `records` of one document, which is whole even when the answer breaks off.
 */
export async function printLines(
  lines: AsyncIterable<string>,
  { io, globals }: Pick<CommandContext, 'io' | 'globals'>,
): Promise<ExitName> {
  const { json } = globals;
  let [chunk, separator] = json ? ['{"version":1,"records":[', '\n'] : ['', ''];
  let isBegun = false;
  let exit: ExitName = 'OK';
  let end: object = { exit: exitDocument(exit) };
  try {
    for await (const line of lines) {
      chunk += json ? separator + withSafeText(line) : `${line}\n`;
      separator = ',\n';
      if (chunk.length < CHUNK_LENGTH) continue;
      io.stdout.write(chunk);
      [chunk, isBegun] = ['', true];
      // Nobody reads on. The end of the command reports why.
      if (await io.stdout.settled()) return exit;
    }
  } catch (error) {
    if (!isBegun) throw error;
    exit = await showFailure(error, io, { json: false, color: globals.color });
    const { failureDocument, failureOf } = await import('../output/failure.ts');
    const { version: _, ...failure } = failureDocument(failureOf(error));
    end = failure;
  }
  // The members of the document after its list.
  io.stdout.write(json ? `${chunk}],${withSafeText(JSON.stringify(end)).slice(1)}\n` : chunk);
  return exit;
}
