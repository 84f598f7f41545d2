import { join } from 'node:path';
import { type Bench, baselineSide } from '../context.ts';
import { baseline, node, type Running, startServer, type Usage } from '../process.ts';
import { DEFAULT_CONCURRENCY } from './push.ts';

/** `serve` beside a bare server that does the same work. Both get the same bodies from the same loop. */
export async function serve(bench: Bench): Promise<void> {
  const bodies = await bench.bodies(bench.rows);
  /** Wall time of the loop, CPU time of the server during the loop, and peak memory of the server. */
  const loaded = async (start: Promise<Running & { readonly url: string }>): Promise<Usage> => {
    const server = await start;
    const before = server.cpuMs();
    const load = baselineSide('undici-loop.mjs', bodies, server.url, String(DEFAULT_CONCURRENCY));
    const { wallMs } = await load();
    const cpuMs = server.cpuMs() - before;
    const { peakBytes, diskBytes } = await server.stop();
    return { wallMs, cpuMs, peakBytes, diskBytes };
  };
  const bare = (name: string) => async (): Promise<Usage> => {
    const cwd = bench.folder();
    const program = node(baseline(name), [join(cwd, 'bare.sqlite')], { cwd });
    return loaded(startServer(program).then((server) => ({ ...server, url: server.line })));
  };
  await bench.compare('serve', bench.rows, {
    serve: () => loaded(bench.serve(bench.rows)),
    'node:http': bare('http-server.mjs'),
  });
}
