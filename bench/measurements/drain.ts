import { cpSync } from 'node:fs';
import { type Bench, baselineSide } from '../context.ts';
import { runToEnd } from '../process.ts';
import { DEFAULT_CONCURRENCY } from './push.ts';

/** `resume` of a run whose records are all staged, beside a loop that sends the same bodies. */
export async function drain(bench: Bench): Promise<void> {
  const bodies = await bench.bodies(bench.rows);
  const all = [
    { id: 'drain', delay: '0' },
    { id: 'drain 20 ms', delay: '20' },
  ];
  for (const { id, delay } of bench.cases(all)) {
    const { runs, port } = await stagedRun(bench);
    const server = await bench.stub('--port', port, '--delay-ms', delay);
    await bench.compare(id, bench.rows, {
      resume: () => {
        const copy = bench.folder();
        cpSync(runs, copy, { recursive: true });
        const inFlight = ['-j', String(DEFAULT_CONCURRENCY)];
        return runToEnd(bench.dataimport(['resume', '--run-dir', copy, ...inFlight], server));
      },
      'undici loop': baselineSide('undici-loop.mjs', bodies, server.url, String(DEFAULT_CONCURRENCY)),
    });
    await server.stop();
  }
}

/** A folder with a run that has staged every record and sent none, and the port of its platform. */
async function stagedRun(bench: Bench): Promise<{ readonly runs: string; readonly port: string }> {
  const server = await bench.stub('--refuse');
  const runs = bench.folder();
  const file = await bench.file('nested', bench.rows);
  const push = ['push', 'transactions', file, '--run-dir', runs];
  await runToEnd(bench.dataimport(push, { url: server.url, exitCodes: [4] }));
  await server.stop();
  return { runs, port: new URL(server.url).port };
}
