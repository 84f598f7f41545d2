import { baselineSide, type Bench } from '../context.ts';
import { runToEnd } from '../process.ts';

/** `check` beside programs that only read: flat rows, rows with line items, and a file that is mapped. */
export async function read(bench: Bench): Promise<void> {
  for (const kind of bench.cases(['plain', 'nested', 'mapped'] as const)) {
    const file = await bench.file(kind, bench.rows);
    const delimiter = kind === 'mapped' ? ';' : ',';
    await bench.compare(`read ${kind}`, bench.rows, {
      check: () => runToEnd(bench.dataimport(['check', 'transactions', file])),
      'csv-parse': baselineSide('read-csv-parse.mjs', file, delimiter),
    });
  }
  if (bench.isShort) return;
  const file = await bench.file('plain', bench.rows);
  await bench.compare('read shard', bench.rows, {
    'check --shard 1/4': () => runToEnd(bench.dataimport(['check', 'transactions', file, '--shard', '1/4'])),
    check: () => runToEnd(bench.dataimport(['check', 'transactions', file])),
  });
}
