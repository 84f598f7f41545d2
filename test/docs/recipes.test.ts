import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import Database from 'better-sqlite3';
import { execa, execaSync } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMAND, compiledCode } from '../support/built-cli.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { workbookOf } from '../support/workbook.ts';

const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount'.split(
  ',',
);
const ROWS = [
  ['ACME', '0010023417', 'T-1', '2026-01-05', 'CHARGE', '12.10'],
  ['ACME', '0010059902', 'T-2', '2026-01-06', 'CHARGE', '7.00'],
];
const CSV = [HEADER, ...ROWS].map((cells) => `${cells.join(',')}\n`).join('');

function isInstalled(program: string): boolean {
  return execaSync('sh', ['-c', `command -v ${program}`], { reject: false }).exitCode === 0;
}

/** A folder with everything that the recipes read, and a `dataimport` to type. */
function folder(): { readonly cwd: string; readonly path: string } {
  const cwd = temporaryFolder();
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'dataimport'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
  chmodSync(join(bin, 'dataimport'), 0o755);
  mkdirSync(join(cwd, 'exports'));
  writeFileSync(join(cwd, 'exports', 'june.csv'), CSV);
  writeFileSync(
    join(cwd, 'bookings.csv'),
    `account,id,booked,amount\n${ROWS.map((row) => `${row[1]},${row[2]},${row[3]},${row[5]}\n`).join('')}`,
  );
  const [first, second] = [ROWS[0]!, ROWS[1]!.with(1, '')];
  writeFileSync(
    join(cwd, 'grouped.csv'),
    [HEADER, first, second].map((cells) => `${cells.join()}\n`).join(''),
  );
  const kinds = ['A,2026-06-01', ...ROWS.map((row) => `B,${row.join()}`), 'Z,2,19.10,EUR'];
  writeFileSync(join(cwd, 'kinds.csv'), `${kinds.join('\n')}\n`);
  writeFileSync(join(cwd, 'bookings.xlsx'), workbookOf('Bookings', [HEADER, ...ROWS]));
  const objects = ROWS.map((row) => Object.fromEntries(row.map((cell, at) => [HEADER[at], cell])));
  writeFileSync(join(cwd, 'bookings.json'), JSON.stringify({ bookings: objects }, null, 2));
  const shop = new Database(join(cwd, 'shop.db'));
  shop.exec('CREATE TABLE booking (account TEXT, id TEXT, booked TEXT, amount REAL)');
  const insert = shop.prepare('INSERT INTO booking VALUES (?, ?, ?, ?)');
  for (const [, account, id, booked, , amount] of ROWS)
    insert.run(account, id, booked, Number.parseFloat(amount!));
  shop.close();
  return { cwd, path: `${bin}${delimiter}${process.env['PATH']}` };
}

/** Variables with which a program finds its server. */
type Servers = (cwd: string) => Promise<Readonly<Record<string, string>>>;

const SERVERS: Readonly<Record<string, Servers>> = {
  psql: startPostgres,
  rclone: async () => ({ RCLONE_CONFIG: '/nonexistent', RCLONE_CONFIG_SUPPLIER_TYPE: 'local' }),
};

/** A database server of its own, on a socket in a folder. It does not run as root. */
async function startPostgres(): Promise<Readonly<Record<string, string>>> {
  const home = temporaryFolder();
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await execa('chown', ['65534', home]);
  const options = { ...(isRoot ? { uid: 65534 } : {}), cwd: home, env: { HOME: home } };
  const data = join(home, 'data');
  await execa('initdb', ['-D', data, '-U', 'shop', '--auth=trust', '--no-sync'], options);
  const server = ['-D', data, '-w', '-o', `-c listen_addresses='' -k ${home}`, '-l', join(home, 'log')];
  await execa('pg_ctl', [...server, 'start'], { ...options, stdio: 'ignore' });
  onTestFinished(async () => void (await execa('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'], options)));
  const env = { PGHOST: home, PGUSER: 'shop' };
  const rows = ROWS.map((row) => `('${row[1]}', '${row[2]}', '${row[3]}', ${row[5]})`).join(', ');
  await execa('createdb', ['shop'], { env });
  const table = 'CREATE TABLE booking (account text, id text, booked date, amount numeric(18, 2))';
  await execa('psql', ['-d', 'shop', '-c', table, '-c', `INSERT INTO booking VALUES ${rows}`], { env });
  return env;
}

/** Programs that a recipe needs beside the one that it is named for. */
const NEEDED: Readonly<Record<string, readonly string[]>> = { psql: ['initdb', 'pg_ctl', 'createdb'] };

describe('docs/recipes.md', () => {
  const recipes = documentBlocks('docs/recipes.md', 'sh');

  test('has a recipe for each program that a message names', () => {
    const named = ['psql', 'sqlite3', 'duckdb', 'xlsx2csv', 'jq', 'awk', 'awk', 'rclone'];
    expect(recipes.map(({ title }) => title)).toEqual(named);
  });

  for (const { title, text } of recipes) {
    const programs = [title, ...(NEEDED[title] ?? [])];
    test.runIf(programs.every(isInstalled))(`its recipe with ${title} brings every row`, async () => {
      const { cwd, path } = folder();
      const env = { PATH: path, HOME: cwd, ...compiledCode(), ...(await SERVERS[title]?.(cwd)) };
      const { exitCode, all } = await execa('sh', ['-ec', text], { cwd, env, all: true, reject: false });
      const checks = text.match(/dataimport check/g)!.length;
      expect({
        exitCode,
        checked: all.match(/transactions: 2 rows read: 2 valid/g)?.length,
        all,
      }).toMatchObject({ exitCode: 0, checked: checks });
      expect(all).toMatch(/CHARGE +2 +19\.10/);
    });
  }
});
