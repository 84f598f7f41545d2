import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench } from '../context.ts';
import { runToEnd } from '../process.ts';

/** A push of one row beside 100 finished runs, and in an empty folder. */
export async function folder(bench: Bench): Promise<void> {
  const server = await bench.stub();
  const row = await bench.file('nested', 1);
  const runs = await finishedRuns(bench, { runs: bench.isShort ? 1 : 100, url: server.url });
  const push = (into: string) => () => {
    const args = ['push', 'transactions', row, '--run-dir', into, '--new'];
    return runToEnd(bench.dataimport(args, server));
  };
  await bench.compare('folder', 1, {
    'beside 100 finished runs': () => {
      const copy = bench.folder();
      cpSync(runs, copy, { recursive: true });
      return push(copy)();
    },
    'empty folder': () => push(bench.folder())(),
  });
  await server.stop();
}

/** A folder of finished runs. Each has a hundredth of the rows of the bench. */
async function finishedRuns(
  bench: Bench,
  { runs, url }: { readonly runs: number; readonly url: string },
): Promise<string> {
  const into = bench.folder();
  const rows = Math.max(Math.round(bench.rows / 100), 20);
  const file = await bench.file('nested', rows);
  for (let run = 0; run < runs; run++) {
    const copy = join(bench.folder(), `file-${run}.csv`);
    cpSync(file, copy);
    await runToEnd(bench.dataimport(['push', 'transactions', copy, '--run-dir', into, '--new'], { url }));
  }
  return into;
}
