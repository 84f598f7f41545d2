import type { ReadItem } from './read-item.ts';
import { Reading } from './reading.ts';
import type { SourceFile } from './source-file.ts';
import { RFC_4180, type SourceFormat } from './source-format.ts';

export type { ReadItem } from './read-item.ts';

/**
 * Reads a file of separated values or of fixed columns, strictly and as its format says; nothing is guessed from what the
 * file holds. Blank lines are skipped. Lines and byte ranges are those of the file, whatever its encoding. Memory does not
 * grow with the file.
 */
export async function* readCsv(file: SourceFile, format: SourceFormat = RFC_4180): AsyncGenerator<ReadItem> {
  const reading = new Reading(format);
  for await (const chunk of file.bytes() as AsyncIterable<Buffer>) {
    await reading.accept(chunk);
    yield* reading.take();
    if (reading.ended) return;
  }
  await reading.finish();
  yield* reading.take();
}
