import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { canMountDisks } from '../harness/campaigns/full-disk.ts';
import { COMMAND, compiledCode } from '../support/built-cli.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { platformHere } from '../support/typed-command.ts';

/** Runs a command that can write no byte into any file, as on a full disk. */
function onFullDisk(cwd: string, ...argv: readonly string[]) {
  const shell = ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, COMMAND, ...argv];
  const { status, stderr } = spawnSync('sh', shell, { cwd, encoding: 'utf8' });
  return { exitCode: status, stderr };
}

describe.skipIf(process.platform === 'win32')('map init on a full disk', () => {
  test('leaves no empty mapping behind', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'export.csv'), 'Account;Txn Id;Date\n1;T1;31.12.2024\n');
    const { exitCode, stderr } = onFullDisk(cwd, 'map', 'init', 'transactions', 'export.csv');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining(
        'error file_not_writable export.csv.map.yaml cannot be written',
      ) as string,
    });
    expect(readdirSync(cwd)).toEqual(['export.csv']);
  });

  test('keeps the mapping that --force was to replace', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'export.csv'), 'Account;Txn Id;Date\n1;T1;31.12.2024\n');
    writeFileSync(join(cwd, 'export.csv.map.yaml'), 'version: 1\n');
    expect(onFullDisk(cwd, 'map', 'init', 'transactions', 'export.csv', '--force').exitCode).toBe(2);
    expect(readFileSync(join(cwd, 'export.csv.map.yaml'), 'utf8')).toBe('version: 1\n');
    expect(readdirSync(cwd)).toEqual(['export.csv', 'export.csv.map.yaml']);
  });
});

describe.skipIf(!canMountDisks())('a run on a disk of less than a megabyte', () => {
  test('leaves the room to its file, and goes on once as much room is made as its file takes', async () => {
    const { first, second, journal, file } = await pushedOnDisk(300);
    expect(first).toBe(8);
    expect(journal).toBeLessThan(Math.max(file, 200_000));
    expect(second).toBe(0);
    // With the journal of SQLite's usual size this one ended with 8, too.
    expect((await pushedOnDisk(400)).first).toBe(0);
  });
});

/** Reserves space on a disk, fills the rest, and writes the last pages of a command before and after the space is given back. */
const RESERVING = `
  import { writeFileSync } from 'node:fs';
  const { reserveSpace } = await import(process.argv[1]);
  const reserved = reserveSpace('disk');
  const written = (name, bytes) => {
    try {
      writeFileSync('disk/' + name, Buffer.alloc(bytes));
      return true;
    } catch {
      return false;
    }
  };
  const isFilled = !written('other', 1_000_000);
  console.log(JSON.stringify([isFilled, written('a', 8_192), (reserved.release(), written('b', 24_576))]));
`;

describe.skipIf(!canMountDisks())('space that is reserved', () => {
  test('stays when others fill the disk, has no name, and is free when it is given back', () => {
    const cwd = temporaryFolder();
    const script = 'mkdir disk && mount -t tmpfs -o size=256k none disk && "$@"; ls disk | tr "\\n" " "';
    const node = [process.execPath, '--input-type=module', '-e', RESERVING];
    const source = pathToFileURL(join(projectRoot, 'src/cli/journal/database/reserved-space.ts')).href;
    const words = ['-rm', 'sh', '-c', script, 'sh', ...node, source];
    const { stdout } = spawnSync('/usr/bin/unshare', words, { cwd, encoding: 'utf8' });
    expect(stdout).toBe('[true,false,true]\na b other ');
  });
});

/** A push of 150 records to a disk of so many kilobytes; where it ends early, a second one after the disk has grown by the size of the journal. */
async function pushedOnDisk(kilobytes: number) {
  const cwd = temporaryFolder();
  const accounts = Array.from({ length: 40 }, (_, index) => 1_000 + index);
  const rows = Array.from(
    { length: 150 },
    (_, index) => `ACME,${accounts[index % 40]},t-${index},2026-02-01,CREDIT,1.10`,
  );
  const header = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
  writeFileSync(join(cwd, 't.csv'), `${[header, ...rows].join('\n')}\n`);
  const seeded = accounts.map(
    (account) => `  - {import_supplier: ACME, external_account_number: "${account}", state: imported}`,
  );
  writeFileSync(
    join(cwd, 'seed.yaml'),
    `version: 1\napi_keys: [{key: local-key, suppliers: [ACME]}]\nsuppliers: [{code: ACME, name: Acme, status: Ongoing}]\naccounts:\n${seeded.join('\n')}\n`,
  );
  const { url, stop } = await platformHere(['--seed', 'seed.yaml'], cwd);
  const script = `
    mkdir disk && mount -t tmpfs -o size=$1k none disk || exit 99
    size=$1; shift
    push() { "$@" push transactions t.csv --run-dir disk --batch-size 2 -j 2 > out 2>&1; echo $?; }
    first=$(push "$@")
    file=$(stat -c %s disk/*/*/*.sqlite); journal=$(cat disk/*/*/*.sqlite-wal 2> /dev/null | wc -c)
    mount -o remount,size=$((size + file / 1024))k none disk
    second=$([ "$first" = 0 ] || push "$@")
    echo $first $file $journal $second`;
  try {
    const { stdout } = await promisify(execFile)(
      '/usr/bin/unshare',
      ['-rm', 'sh', '-c', script, 'sh', String(kilobytes), process.execPath, COMMAND],
      {
        cwd,
        env: {
          PATH: process.env['PATH'],
          HOME: cwd,
          ...compiledCode(),
          DATAIMPORT_BASE_URL: url,
          DATAIMPORT_API_KEY: 'local-key',
        },
      },
    );
    const [first, file, journal, second] = stdout
      .trim()
      .split(/\s+/)
      .map((word) => Number.parseInt(word, 10));
    return { first, second, file: file!, journal: journal! };
  } finally {
    await stop();
  }
}
