import { createHash, createPrivateKey, sign } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SUMS = 'SHA256SUMS';

/**
 * Writes SHA256SUMS, as sha256sum -c reads it, and its signature SHA256SUMS.sig when there is a key.
 * @param key Ed25519, as PEM of PKCS #8
 */
export function writeSums(folder: string, key: string | undefined): void {
  const lines = filesOf(folder).map((name) => `${sha256Of(join(folder, name))}  ${name}\n`);
  writeFileSync(join(folder, SUMS), lines.join(''));
  if (key === undefined || key === '') return;
  const privateKey = createPrivateKey(key);
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('The key of a release is an Ed25519 key.');
  writeFileSync(join(folder, `${SUMS}.sig`), sign(null, Buffer.from(lines.join('')), privateKey));
}

/** The names of the files that two builds do not have alike. */
export function differences(one: string, other: string): readonly string[] {
  const names = new Set([...filesOf(one), ...filesOf(other)]);
  return [...names].filter((name) => hashOrNone(one, name) !== hashOrNone(other, name));
}

/** The files of a release but the list and its signature. */
function filesOf(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith(SUMS))
    .toSorted();
}

function hashOrNone(folder: string, name: string): string | undefined {
  return filesOf(folder).includes(name) ? sha256Of(join(folder, name)) : undefined;
}

export function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
