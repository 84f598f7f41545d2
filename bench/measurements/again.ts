import { cpSync } from 'node:fs';
import { type Bench, baselineSide } from '../context.ts';
import { runToEnd } from '../process.ts';

/** The same command again: when everything has arrived, and with another version of the file. Ten and a hundred times the rows. */
export async function again(bench: Bench): Promise<void> {
  for (const rows of bench.cases([bench.rows * 10, bench.rows * 100])) {
    const [file, other, server] = [
      await bench.file('plain', rows),
      await bench.file('renewed', rows),
      await bench.stub(),
    ];
    const turns = (pairs: number): number => (rows > bench.rows * 10 ? 1 : pairs);
    const push = (path: string, runs: string) => () =>
      runToEnd(bench.dataimport(['push', 'transactions', path, '--run-dir', runs], server));
    await bench.inFolder(async (runs) => {
      await push(file, runs)();
      await bench.compare(
        `again same ${rows}`,
        rows,
        { 'push of the same version': push(file, runs), sha256sum: baselineSide('sha256sum.mjs', file) },
        turns,
      );
      await bench.compare(
        `again other ${rows}`,
        rows,
        {
          'push of another version': () =>
            bench.inFolder((copy) => {
              cpSync(runs, copy, { recursive: true });
              return push(other, copy)();
            }),
          check: () => runToEnd(bench.dataimport(['check', 'transactions', other])),
        },
        turns,
      );
    });
    await server.stop();
  }
}
