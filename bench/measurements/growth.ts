import { type Bench, baselineSide } from '../context.ts';
import { runToEnd } from '../process.ts';

/** `check` and `push` of a tenth of the rows up to a hundred times the rows: 10,000 to 10 million. */
export async function growth(bench: Bench): Promise<void> {
  const sizes = [bench.rows / 10, bench.rows, bench.rows * 10, bench.rows * 100].map(Math.ceil);
  for (const rows of bench.cases(sizes)) {
    // Large files take long, and their time and memory vary little. One turn has to do.
    const turns = (pairs: number): number => (rows > bench.rows ? 1 : pairs);
    const file = await bench.file('nested', rows);
    await bench.compare(
      `growth check ${rows}`,
      rows,
      {
        check: () =>
          bench.inFolder((temporary) =>
            runToEnd(
              bench.dataimport(['check', 'transactions', file], {
                env: { TMPDIR: temporary },
                watched: temporary,
              }),
            ),
          ),
        'csv-parse': baselineSide('read-csv-parse.mjs', file),
      },
      turns,
    );
    const server = await bench.stub();
    await bench.compare(
      `growth push ${rows}`,
      rows,
      {
        push: () =>
          bench.inFolder((runs) => {
            const args = ['push', 'transactions', file, '--run-dir', runs];
            return runToEnd(bench.dataimport(args, { url: server.url, watched: runs }));
          }),
      },
      turns,
    );
    await server.stop();
  }
}
