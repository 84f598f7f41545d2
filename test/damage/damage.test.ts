import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { folderWith } from '../support/mapping-files.ts';
import { DAMAGES } from './damages.ts';
import { FIXTURES, tableOf, textOf, type Table } from './tables.ts';

/** How a damage is noticed: not, in the picture alone, in the table of what stays behind, as a warning, as an error. */
const LEVELS = ['-', 'P', 'B', 'W', 'E'];

/** Written with `DAMAGES=all`. With `DAMAGES=before` in an older checkout the first letter of each pair is written. */
const TABLE = join(import.meta.dirname, 'noticed.txt');
const HEAD = `What a check says of a damaged fixture, before the rules about impossible values and with them: E error, W warning, B what stays behind, P picture, - nothing.
Two points: the damage cannot happen in the fixture.
`;
const WIDTH = 40;

/** Of all damaged fixtures so many are checked without `DAMAGES`. */
const EVERY = 23;
const MODE = process.env['DAMAGES'];

const filesOf = (table: Table): Readonly<Record<string, string | Buffer>> => {
  const others = Object.entries(table.files).map(([name, text]) => [
    name,
    Buffer.from(text, name.endsWith('.yaml') ? 'utf8' : 'latin1'),
  ]);
  return { ...Object.fromEntries(others), [table.main]: textOf(table) };
};

/** The errors, the warnings, the table and the picture of a check. */
async function saidOf(table: Table): Promise<readonly string[]> {
  const io = fakeIo({ cwd: folderWith(filesOf(table)), nowMs: Date.UTC(2026, 10, 21) });
  const { exitCode, json } = await runCli(['check', table.resource, table.main, '--json'], io);
  const { groups = [], stays_behind: behind, picture } = json();
  const of = (severity: string): string =>
    (groups as readonly Readonly<Record<string, unknown>>[])
      .filter((each) => each['severity'] === severity)
      .map((each) => `${String(each['code'])} ${String(each['header'])} ${String(each['count'])}`)
      .join();
  return [`${exitCode} ${of('error')}`, of('warning'), JSON.stringify(behind), JSON.stringify(picture)];
}

async function levelOf(kind: string, name: string, sound: readonly string[]): Promise<string> {
  const table = tableOf(name);
  DAMAGES[kind]!(table);
  if (JSON.stringify(filesOf(table)) === JSON.stringify(filesOf(tableOf(name)))) return '.';
  const said = await saidOf(table);
  return LEVELS[4 - said.findIndex((each, at) => each !== sound[at])] ?? '-';
}

test('each kind of damage is noticed in each fixture, as the table says', async () => {
  const names = Object.keys(FIXTURES);
  const kinds = Object.keys(DAMAGES);
  const pairs = readFileSync(TABLE, 'utf8').trimEnd().split('\n').slice(-kinds.length);
  const table = kinds.map((_, line) =>
    names.map((__, at) => pairs[line]?.slice(WIDTH).split(' ')[at] ?? '..'),
  );
  for (const [at, name] of names.entries()) {
    const sound = await saidOf(tableOf(name));
    for (const [line, kind] of kinds.entries()) {
      const [before, now] = table[line]![at]!;
      if (MODE === undefined && ((line + at) % EVERY !== 0 || now === '.')) continue;
      const level = await levelOf(kind, name, sound);
      table[line]![at] = MODE === 'before' ? `${level}${now}` : `${before}${level}`;
      if (!MODE)
        expect([name, kind, LEVELS.indexOf(level) >= LEVELS.indexOf(now!)]).toEqual([name, kind, true]);
    }
  }
  const lines = kinds.map((kind, line) => `${kind.padEnd(WIDTH)}${table[line]!.join(' ')}`);
  const head = names.map((name, at) => `${at + 1} ${name}`);
  const scale = `${''.padEnd(WIDTH)}${names.map((_, at) => String(at + 1).padStart(2)).join(' ')}`;
  if (MODE) writeFileSync(TABLE, `${[HEAD, ...head, '', scale, ...lines].join('\n')}\n`);
});
