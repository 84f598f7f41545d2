import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Bench } from '../context.ts';
import { untilReady } from './start.ts';

/** `serve` with half as many accounts as the bench has rows, 50,000 of 100,000, in JSON and in YAML, and without a seed. */
export async function seed(bench: Bench): Promise<void> {
  const accounts = Math.ceil(bench.rows / 2);
  const yaml = await bench.accounts(accounts);
  const json = join(bench.folder(), 'seed.json');
  writeFileSync(json, JSON.stringify(parse(readFileSync(yaml, 'utf8'))));
  const ready = (...args: readonly string[]) =>
    bench.inFolder((folder) => {
      const db = ['--db', join(folder, 'serve.sqlite')];
      return untilReady(bench.dataimport(['serve', '--port', '0', ...db, '--json', ...args]));
    });
  await bench.compare('seed', accounts, {
    'serve with accounts': () => ready('--seed', json),
    'serve without': () => ready(),
    'accounts in YAML': () => ready('--seed', yaml),
  });
}
