import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { MigrationReport } from '../../src/cli/report/page/migration-report.ts';
import { signed } from '../../src/cli/report/signature.ts';
import { migration, type Migration } from '../support/migration.ts';
import { GOOD, HEADER, IMPORTED } from '../support/refused-account.ts';

const OTHER = 'ACME,1003,t-2,2026-02-02,PAYMENT,20.20';

interface Signed {
  readonly signature: {
    readonly algorithm: string;
    readonly public_key: string;
    readonly text: string;
    readonly value: string;
  } | null;
  readonly parts: readonly [{ readonly runs: readonly [{ readonly chain_head: string }] }];
}

function writeSecret(site: Migration, name: string, text: string): string {
  const file = join(site.cwd, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** Two keys of one person, as OpenSSL writes them. */
function keys(site: Migration, name: string, passphrase?: string): readonly [secret: string, open: string] {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const cipher = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }).toString();
  const open = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return [writeSecret(site, `${name}.pem`, secret), writeSecret(site, `${name}.pub`, open)];
}

/** A finished run of two records. */
async function pushed() {
  const site = await migration(IMPORTED);
  site.csv('t.csv', HEADER, GOOD, OTHER);
  const { json } = await site.cli('push', 'transactions', 't.csv', '--json');
  return { site, run: String(json()['run']) };
}

/** A finished run, its keys, and its signed report in a file. */
async function signedSite() {
  const { site, run } = await pushed();
  const [secret, open] = keys(site, 'lead');
  const { stdout, exitCode } = await site.cli('report', run, '--json', '--sign', secret);
  expect(exitCode).toBe(0);
  writeFileSync(join(site.cwd, 'signed.json'), stdout);
  const verified = (...argv: readonly string[]) =>
    site.cli('verify', 'transactions', 't.csv', '--signed', 'signed.json', '--public-key', open, ...argv);
  return { site, run, secret, open, verified, document: JSON.parse(stdout) as Signed };
}

describe('report --sign', () => {
  test('signs the heads and the hash of the document, as anybody can check with the public key', async () => {
    const { document, open } = await signedSite();
    const { algorithm, public_key, text, value } = document.signature!;
    expect([algorithm, public_key]).toEqual(['ed25519', readFileSync(open, 'utf8')]);
    expect(text).toMatch(/^dataimport-signature-1\nmade \S+\ndocument [\da-f]{64}\nrun \S+ 2 [\da-f]{64}\n$/);
    expect(text).toContain(document.parts[0].runs[0].chain_head);
    expect(verify(null, Buffer.from(text), createPublicKey(public_key), Buffer.from(value, 'base64'))).toBe(
      true,
    );
  });

  test('prints the signature on the page, and no page has one without it', async () => {
    const { site, run, secret } = await signedSite();
    const { stdout } = await site.cli('report', run, '--html', '-', '--sign', secret);
    expect(stdout).toContain('Digital signature');
    expect(stdout).toContain('BEGIN PUBLIC KEY');
    expect(stdout).not.toContain('PRIVATE');
    expect((await site.cli('report', run, '--html', '-')).stdout).not.toContain('Digital signature');
    expect((await site.cli('report', run, '--json')).json()['signature']).toBeNull();
  });

  test('takes the passphrase of a key from a variable or a private file, and never shows it', async () => {
    const { site, run } = await pushed();
    const [secret] = keys(site, 'lead', 'correct horse');
    const report = ['report', run, '--json', '--sign', secret];
    const without = await site.cli(...report);
    expect([without.exitCode, without.stderr]).toEqual([
      2,
      expect.stringContaining('it has a passphrase, and none is given'),
    ]);
    const wrong = await site.cliIn({ env: { DATAIMPORT_SIGN_PASSPHRASE: 'battery' } }, ...report);
    expect(wrong.stderr).toContain('the passphrase is wrong');
    expect(wrong.stderr + wrong.stdout).not.toContain('battery');
    const right = await site.cliIn({ env: { DATAIMPORT_SIGN_PASSPHRASE: 'correct horse' } }, ...report);
    expect(right.exitCode).toBe(0);
    const file = writeSecret(site, 'passphrase', 'correct horse\n');
    expect((await site.cli(...report, '--sign-passphrase-file', file)).exitCode).toBe(0);
  });

  test('refuses a key that others can read, a key of another kind, and a text that is no key', async () => {
    const { site, run } = await pushed();
    const [secret, open] = keys(site, 'lead');
    chmodSync(secret, 0o644);
    const codes = [secret];
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    codes.push(
      writeSecret(site, 'ec.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
      open,
    );
    const ends = await Promise.all(codes.map((file) => site.cli('report', run, '--json', '--sign', file)));
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
    expect(ends.map(({ json }) => (json()['problems'] as [{ code: string }])[0].code)).toEqual([
      'secret_file_open',
      'signing_key_unusable',
      'signing_key_unusable',
    ]);
    expect(ends[1]!.stderr).toContain('it is a key of ec, and a signature needs Ed25519');
  });
});

describe('verify --signed', () => {
  test('accepts a document that is signed with the key, and names it', async () => {
    const { run, verified, document } = await signedSite();
    const { exitCode, stdout } = await verified();
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`the chain of ${run} holds: ${document.parts[0].runs[0].chain_head}, 2 links`);
    expect(stdout).toContain('signed.json has a valid signature over these chains');
    expect((await verified('--json')).json()).toMatchObject({ signed: 'signed.json' });
  });

  test.each([
    [
      'a figure of the document',
      (text: string) => text.replace('"created": 2', '"created": 3'),
      'its content is not what was signed',
    ],
    [
      'the signed text',
      (text: string) => text.replace(/(run \S+) 2 /, '$1 3 '),
      'the signature is not of this key',
    ],
    [
      'nothing but the signature, which is gone',
      (text: string) => text.replace(/"signature": \{[^}]*\}/, '"signature": null'),
      'it has no signature',
    ],
    [
      'a figure that it has twice, so that some readers take the first one',
      (text: string) => text.replace('"created": 2', '"created": 3, "created": 2'),
      'it is no document of `report --json`',
    ],
    ['everything', () => '{}', 'it is no document of `report --json`'],
  ])('refuses a document of which somebody has changed %s', async (_what, change, reason) => {
    const { site, verified } = await signedSite();
    const file = join(site.cwd, 'signed.json');
    const text = readFileSync(file, 'utf8');
    expect(change(text)).not.toBe(text);
    writeFileSync(file, change(text));
    const { exitCode, stderr } = await verified();
    expect(stderr).toContain(reason);
    expect(exitCode).toBe(11);
  });

  test('refuses the signature of another key', async () => {
    const { site, verified } = await signedSite();
    const [, other] = keys(site, 'other');
    const { exitCode, stderr } = await verified('--public-key', other);
    expect([exitCode, stderr]).toEqual([11, expect.stringContaining('the signature is not of this key')]);
  });

  test('refuses a document of another run, and of a run that has lost a row', async () => {
    const { site, run, verified } = await signedSite();
    const later = { nowMs: Date.UTC(2026, 10, 21, 0, 0, 5) };
    await site.cliIn(later, 'push', 'transactions', 't.csv', '--run-dir', 'other');
    const { exitCode, stderr } = await verified('--run-dir', 'other');
    expect([exitCode, stderr]).toEqual([11, expect.stringContaining('it has no run')]);
    expect((await verified('--run', run)).exitCode).toBe(0);
    const db = new Database(join(site.cwd, '.dataimport', 'runs', `${run}.sqlite`));
    db.exec(`DELETE FROM outcome WHERE link_id = 2; DELETE FROM link WHERE id = 2`);
    db.exec(
      `DELETE FROM attempt WHERE id = 2; DELETE FROM batch WHERE id = 2; DELETE FROM record WHERE seq = 2`,
    );
    db.close();
    const known = await verified('--run', run);
    expect([known.exitCode, known.stderr]).toEqual([
      8,
      expect.stringContaining('it has not the rows that were read from the files'),
    ]);
  });

  test('refuses a document of a run that was sent again since', async () => {
    const { site, verified } = await signedSite();
    expect((await site.cli('push', 'transactions', 't.csv', '--again')).exitCode).toBe(0);
    const { exitCode, stderr } = await verified();
    expect([exitCode, stderr]).toEqual([
      11,
      expect.stringMatching(/has \d+ links and the head .* it signs 2 /),
    ]);
  });

  test('computes the signed figures again, and names those that differ', async () => {
    const { site, secret, verified, document } = await signedSite();
    // A person, or an earlier program, has signed figures that the run file does not give.
    const { signature: _, ...report } = document as unknown as MigrationReport;
    const [part] = report.parts as [MigrationReport['parts'][number]];
    const key = createPrivateKey(readFileSync(secret, 'utf8'));
    const wrong = { ...part, rows: { ...part.rows, created: 3, read: 3 } };
    writeFileSync(join(site.cwd, 'signed.json'), JSON.stringify(signed({ ...report, parts: [wrong] }, key)));
    const { exitCode, stderr } = await verified();
    expect(stderr).toContain(
      'the run files give other figures: transactions: rows.read is 3 there and 2 here, transactions: rows.created is 3 there and 2 here, rows.read is 2 there and 3 here',
    );
    expect(exitCode).toBe(11);
  });

  test('needs both flags, a run, and a public key', async () => {
    const { site, open, secret } = await signedSite();
    const verify = ['verify', 'transactions', 't.csv', '--signed', 'signed.json'];
    const ends = [
      await site.cli(...verify),
      await site.cli('verify', 'transactions', 't.csv', '--public-key', open),
      await site.cli(...verify, '--public-key', secret),
    ];
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
    expect(ends[0]!.stderr).toContain('--signed and --public-key belong together');
    expect(ends[2]!.stderr).toContain('it is a private key');
  });
});
