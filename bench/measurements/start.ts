import { join } from 'node:path';
import type { Side } from '../comparison.ts';
import type { Bench } from '../context.ts';
import { baseline, node, type Program, runToEnd, startServer, type Usage } from '../process.ts';

/** Starts beside a Node that ends at once. */
export async function start(bench: Bench): Promise<void> {
  const row = await bench.file('nested', 1);
  const cwd = bench.folder();
  const bare = () => runToEnd(node('-e', ['0'], { cwd }));
  // A start takes little time, so it takes many turns.
  const turns = (pairs: number): number => pairs * 4;
  const serve = bench.dataimport(['serve', '--port', '0', '--db', ':memory:', '--json']);
  const all: readonly { readonly id: string; readonly sides: Readonly<Record<string, Side>> }[] = [
    {
      id: 'start serve',
      sides: {
        'serve ready': () => untilReady(serve),
        'node -e 0': bare,
        'node:http and SQLite ready': () =>
          untilReady(node(baseline('http-server.mjs'), [join(bench.folder(), 'bare.sqlite')], { cwd })),
      },
    },
    {
      id: 'start --version',
      sides: { '--version': () => runToEnd(bench.dataimport(['--version'])), 'node -e 0': bare },
    },
    {
      id: 'start check',
      sides: {
        'check of one row': () => runToEnd(bench.dataimport(['check', 'transactions', row])),
        'node -e 0': bare,
      },
    },
  ];
  for (const { id, sides } of bench.cases(all)) await bench.compare(id, 1, sides, turns);
}

/** Time until a server prints its first line, and its peak memory. */
export async function untilReady(program: Program): Promise<Usage> {
  const server = await startServer(program);
  const cpuMs = server.cpuMs();
  const { peakBytes, diskBytes } = await server.stop();
  return { wallMs: server.readyMs, cpuMs, peakBytes, diskBytes };
}
