import { cpSync } from 'node:fs';
import { type Bench, baselineSide } from '../context.ts';
import { runToEnd } from '../process.ts';
import { DEFAULT_CONCURRENCY } from './push.ts';

/** The same push again, whose records are all staged, beside a loop that sends the same bodies. */
export async function drain(bench: Bench): Promise<void> {
  const bodies = await bench.bodies(bench.rows);
  const all = [
    { id: 'drain', delay: '0' },
    { id: 'drain 20 ms', delay: '20' },
  ];
  const { push, runs, port } = await bench.staged(bench.rows);
  for (const { id, delay } of bench.cases(all)) {
    const server = await bench.stub('--port', port, '--delay-ms', delay);
    await bench.compare(id, bench.rows, {
      resume: () =>
        bench.inFolder((copy) => {
          cpSync(runs, copy, { recursive: true });
          const inFlight = ['-j', String(DEFAULT_CONCURRENCY)];
          return runToEnd(bench.dataimport([...push, '--run-dir', copy, ...inFlight], server));
        }),
      'undici loop': baselineSide('undici-loop.mjs', bodies, server.url, String(DEFAULT_CONCURRENCY)),
    });
    await server.stop();
  }
}
