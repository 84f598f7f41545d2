import type { Bench } from '../context.ts';
import { runToEnd } from '../process.ts';

/** The pace of a night: so many requests in a second, each answered after so many milliseconds. */
export const [NIGHT_RATE, NIGHT_DELAY_MS] = [50, 150];

/** `push` at the pace of a night, and the same command once everything has arrived. */
export async function night(bench: Bench): Promise<void> {
  const rows = Math.ceil(bench.rows / 4);
  const file = await bench.file('nested', rows);
  const server = await bench.stub('--delay-ms', String(NIGHT_DELAY_MS));
  await bench.inFolder(async (runs) => {
    const args = ['push', 'transactions', file, '--run-dir', runs, '--rate-limit', `${NIGHT_RATE}/s`];
    const push = () => runToEnd(bench.dataimport(args, { url: server.url, watched: runs }));
    await bench.compare('night', rows, { push, 'the same command again': push }, () => 1);
  });
  await server.stop();
}
