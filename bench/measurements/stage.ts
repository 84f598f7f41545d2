import { baselineSide, type Bench } from '../context.ts';
import { runUntil } from '../process.ts';

/** `push` up to its first request with records, beside csv-parse. */
export async function stage(bench: Bench): Promise<void> {
  const server = await bench.stub('--hold');
  for (const kind of bench.cases(['nested', 'plain'] as const)) {
    const file = await bench.file(kind, bench.rows);
    await bench.compare(`stage ${kind}`, bench.rows, {
      'push to its first batch': () =>
        bench.inFolder((runs) => {
          const push = ['push', 'transactions', file, '--run-dir', runs, '-j', '1'];
          return runUntil(bench.dataimport(push, server), server.nextLine());
        }),
      'csv-parse': baselineSide('read-csv-parse.mjs', file),
    });
  }
  await server.stop();
}
