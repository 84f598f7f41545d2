import type { Bench } from '../context.ts';
import { runToEnd } from '../process.ts';

/** Times `verify` and `check` of one file, after the file has arrived. */
export async function verify(bench: Bench): Promise<void> {
  const { rows } = bench;
  const [file, server] = [await bench.file('nested', rows), await bench.serve(rows)];
  await bench.inFolder(async (runs) => {
    const run = (command: string) => () =>
      runToEnd(bench.dataimport([command, 'transactions', file, '--run-dir', runs], server));
    await run('push')();
    const check = () => runToEnd(bench.dataimport(['check', 'transactions', file]));
    await bench.compare('verify', rows, { verify: run('verify'), check });
  });
  await server.stop();
}
