import { type Bench, baselineSide, type Served } from '../context.ts';
import { baseline, node, python, runToEnd, type Usage } from '../process.ts';

/** Requests in flight of a push without `-j`. */
export const DEFAULT_CONCURRENCY = 16;

/** `push` beside the script that a user would write, against `serve` and against a platform that takes its time. */
export async function push(bench: Bench): Promise<void> {
  // The naive scripts wait for each answer, so they get fewer rows where an answer takes long.
  const fewer = Math.ceil(bench.rows / 4);
  const all = [
    { id: 'push serve', rows: bench.rows, serve: () => bench.serve(bench.rows) },
    { id: 'push 20 ms', rows: fewer, serve: () => bench.stub('--delay-ms', '20') },
  ];
  for (const each of bench.cases(all)) await against(bench, each);
}

async function against(
  bench: Bench,
  { id, rows, serve }: { readonly id: string; readonly rows: number; serve(): Promise<Served> },
): Promise<void> {
  const file = await bench.file('nested', rows);
  const bodies = await bench.bodies(rows);
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
        bench.inFolder((runs) =>
          runToEnd(bench.dataimport(['push', 'transactions', file, '--run-dir', runs], { url })),
        ),
      ),
    'naive Node': () => served((url) => runToEnd(node(baseline('naive.mjs'), [file, url], place))),
    'naive Python': () => served((url) => runToEnd(python('naive.py', [file, url], place))),
    'undici loop': () => served((url) => baselineSide('undici-loop.mjs', bodies, url, connections)()),
  });
}
