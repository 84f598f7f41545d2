import { describe, expect, test } from 'vitest';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED, REFUSED, SEED } from '../support/refused-account.ts';

const NFS = 0x6969;
const EXT4 = 0xef53;
const ACCEPTED = { DATAIMPORT_ALLOW_NETWORK_DISK: 'yes' };

async function siteWith(seed: string): Promise<Migration> {
  const site = await migration(seed);
  site.csv('t.csv', HEADER, REFUSED, GOOD);
  return site;
}

const push = (site: Migration, fileSystemType: number, ...flags: readonly string[]) =>
  site.cliIn({ fileSystemType }, 'push', 'transactions', 't.csv', '--json', ...flags);

describe.runIf(process.platform === 'linux')('a folder of journals', () => {
  test.each([
    ['NFS', NFS],
    ['SMB', 0x517b],
    ['CIFS', 0xff534d42],
    // As a machine of 32 bits has the number.
    ['CIFS', 0xff534d42 | 0],
    ['SMB', 0xfe534d42],
    ['FUSE, such as sshfs', 0x65735546],
    ['Lustre', 0x0bd00bd0],
    ['GPFS', 0x47504653],
    ['AFS', 0x5346414f],
    ['9p', 0x01021997],
    ['Ceph', 0x00c36400],
  ])('is refused on %s (%i) before anything is sent', async (kind, type) => {
    const site = await siteWith(IMPORTED);
    const { exitCode, json, stderr } = await push(site, type);
    expect(exitCode).toBe(8);
    expect(json()).toMatchObject({ problems: [{ code: 'run_inaccessible' }] });
    expect(stderr).toContain(`is on a network file system (${kind})`);
    expect(stderr).toContain('allowNetworkDisk: yes');
    expect(await site.ledger()).toEqual([]);
  });

  test('is accepted on a disk of this machine, and on any other with the setting', async () => {
    const site = await siteWith(IMPORTED);
    expect((await push(site, EXT4)).exitCode).toBe(0);
    const accepted = { fileSystemType: NFS, env: ACCEPTED };
    expect((await site.cliIn(accepted, 'push', 'transactions', 't.csv')).exitCode).toBe(0);
    expect((await push(site, NFS, '--dry-run')).exitCode).toBe(0);
  });

  test('is refused for resume, too', async () => {
    const site = await siteWith(SEED);
    expect((await push(site, EXT4)).exitCode).toBe(4);
    const { exitCode: refused } = await site.cliIn({ fileSystemType: NFS }, 'resume');
    expect(refused).toBe(8);
    const { stderr } = await site.cliIn({ fileSystemType: NFS, env: ACCEPTED }, 'resume');
    expect(stderr).not.toContain('run_inaccessible');
  });
});
