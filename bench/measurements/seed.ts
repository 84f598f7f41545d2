import { join } from 'node:path';
import type { Bench } from '../context.ts';
import { untilReady } from './start.ts';

/** `serve` with half as many accounts as the bench has rows, 50,000 of 100,000, and without a seed. */
export async function seed(bench: Bench): Promise<void> {
  const accounts = Math.ceil(bench.rows / 2);
  const file = await bench.accounts(accounts);
  const ready = (...args: readonly string[]) =>
    bench.inFolder((folder) => {
      const db = ['--db', join(folder, 'serve.sqlite')];
      return untilReady(bench.dataimport(['serve', '--port', '0', ...db, '--json', ...args]));
    });
  await bench.compare('seed', accounts, {
    'serve with accounts': () => ready('--seed', file),
    'serve without': () => ready(),
  });
}
