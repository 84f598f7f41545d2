import { type Bench, baselineSide, type Served } from '../context.ts';
import { baseline, node, python, runToEnd, type Usage } from '../process.ts';

/** Requests in flight of a push without `-j`. */
export const DEFAULT_CONCURRENCY = 16;

/** `push` beside the script that a user would write, against `serve` and against platforms that take their time. */
export async function push(bench: Bench): Promise<void> {
  await against('push serve', { bench, rows: bench.rows, serve: () => bench.serve(bench.rows) });
  // The naive scripts wait for each answer, so they get fewer rows.
  const rows = Math.max(Math.round(bench.rows / 10), 20);
  await against('push 20 ms', { bench, rows, serve: () => bench.stub('--delay-ms', '20') });
  await against('push tail', { bench, rows, serve: () => bench.stub('--tail') });
}

async function against(
  id: string,
  { bench, rows, serve }: { readonly bench: Bench; readonly rows: number; serve(): Promise<Served> },
): Promise<void> {
  const file = await bench.file('nested', rows);
  const bodies = await recordedBodies(bench, rows);
  const connections = String(DEFAULT_CONCURRENCY);
  const place = { cwd: bench.folder() };
  /** A new server for each run, because a second run would find its records there. */
  const served = async (run: (url: string) => Promise<Usage>): Promise<Usage> => {
    const server = await serve();
    try {
      return await run(server.url);
    } finally {
      await server.stop();
    }
  };
  await bench.compare(id, rows, {
    push: () =>
      served((url) =>
        runToEnd(bench.dataimport(['push', 'transactions', file, '--run-dir', bench.folder()], { url })),
      ),
    'naive Node': () => served((url) => runToEnd(node(baseline('naive.mjs'), [file, url], place))),
    'naive Python': () => served((url) => runToEnd(python('naive.py', [file, url], place))),
    'undici loop': () => served((url) => baselineSide('undici-loop.mjs', bodies, url, connections)()),
  });
}

/** The bodies that a push of the file sends, one on each line of a file. */
export async function recordedBodies(bench: Bench, rows: number): Promise<string> {
  const bodies = `${bench.folder()}/bodies.ndjson`;
  const server = await bench.stub('--record', bodies);
  const file = await bench.file('nested', rows);
  await runToEnd(bench.dataimport(['push', 'transactions', file, '--run-dir', bench.folder()], server));
  await server.stop();
  return bodies;
}
