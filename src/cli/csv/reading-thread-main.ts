import { parentPort, workerData } from 'node:worker_threads';
import { memoryOf, packed } from './packed-items.ts';
import { ReadingPass } from './read-csv.ts';
import type { SourceFormat } from './source-format.ts';

// The thread of `readOnThread`. Each message is a part of the file, or null behind the last part.

const pass = new ReadingPass(workerData as SourceFormat);
const port = parentPort!;
let turn: Promise<void> = Promise.resolve();

port.on('message', (part: Uint8Array | null) => {
  turn = turn.then(async () => {
    await (part === null
      ? pass.finish()
      : pass.accept(Buffer.from(part.buffer, part.byteOffset, part.length)));
    const items = packed(pass.take(), part === null || pass.ended);
    port.postMessage(items, [...memoryOf(items)]);
  });
});
