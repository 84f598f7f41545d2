import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench, Served } from '../context.ts';
import type { Side } from '../comparison.ts';
import { runToEnd, runUntil } from '../process.ts';

/** Commands about a run and a ledger of a million rows, ten times the rows of the bench, beside those of one row. */
export async function scale(bench: Bench): Promise<void> {
  const rows = bench.isShort ? bench.rows : bench.rows * 10;
  const large = await arrived(bench, rows);
  const small = bench.isShort ? undefined : await arrived(bench, 1);
  const compare = (id: string, command: string, side: (of: Arrived) => Side): Promise<void> =>
    bench.compare(`scale ${id}`, rows, {
      [command]: side(large),
      ...(small === undefined ? {} : { 'with one row': side(small) }),
    });
  const run = (args: (of: Arrived) => readonly string[]) => (of: Arrived) => () =>
    runToEnd(bench.dataimport(args(of), of.server));

  await compare(
    'runs',
    'runs',
    run(({ runs }) => ['runs', '--run-dir', runs]),
  );
  await compare(
    'verify',
    'verify',
    run(({ runs, file }) => ['verify', 'transactions', file, '--run-dir', runs]),
  );
  await compare(
    'ledger',
    'admin ledger',
    run(() => ['admin', 'ledger', '--json']),
  );
  await compare(
    'totals',
    'admin ledger --totals',
    run(() => ['admin', 'ledger', '--totals']),
  );
  // A row that has not arrived, in each turn.
  let next = rows + 1;
  await compare('push', 'push of one row', ({ runs, server }) => async () => {
    const row = await bench.file('nested', 1, next++);
    return runToEnd(bench.dataimport(['push', 'transactions', row, '--run-dir', runs], server));
  });
  await Promise.all([large.server.stop(), small?.server.stop()]);

  const resume = async (count: number): Promise<Side> => {
    const { push, runs, port } = await bench.staged(count);
    return async () => {
      const server = await bench.stub('--port', port, '--hold');
      const usage = await bench.inFolder((copy) => {
        cpSync(runs, copy, { recursive: true });
        return runUntil(bench.dataimport([...push, '--run-dir', copy], server), server.nextLine());
      });
      await server.stop();
      return usage;
    };
  };
  await bench.compare('scale resume', rows, {
    'resume to its first batch': await resume(rows),
    ...(bench.isShort ? {} : { 'with one row': await resume(1) }),
  });
}

/** A file that was pushed: its run and the platform that has its records. */
interface Arrived {
  readonly file: string;
  readonly runs: string;
  readonly server: Served;
}

async function arrived(bench: Bench, rows: number): Promise<Arrived> {
  const [file, server, runs] = [
    await bench.file('nested', rows),
    await bench.serve(rows),
    join(bench.folder(), 'runs'),
  ];
  await runToEnd(bench.dataimport(['push', 'transactions', file, '--run-dir', runs], server));
  return { file, runs, server };
}
