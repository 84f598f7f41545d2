import { type Bench } from '../context.ts';
import { runToEnd } from '../process.ts';

/** A push of one row beside 100 finished runs, each of twice the rows of the bench, and in an empty folder. */
export async function folder(bench: Bench): Promise<void> {
  const server = await bench.stub();
  const [runs, rows] = bench.isShort ? [1, 20] : [100, bench.rows * 2];
  const full = bench.folder();
  // Every push has records of its own, because the history knows those of the others.
  let next = 1;
  const push = async (count: number, into: string) => {
    const file = await bench.file('nested', count, next);
    next += count;
    return runToEnd(bench.dataimport(['push', 'transactions', file, '--run-dir', into], server));
  };
  for (let run = 0; run < runs; run++) await push(rows, full);
  await push(1, full);
  await bench.compare('folder', 1, {
    'beside 100 finished runs': () => push(1, full),
    'empty folder': () => push(1, bench.folder()),
  });
  await server.stop();
}
