import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import { JsonSyntaxError, parseExactJson } from '../../core/values/exact-json.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { migrationReport, type MigrationReport } from './page/migration-report.ts';
import type { ProvenChain } from '../push/ports/report.ts';

// docs/report.md specifies the text that is signed. A change needs a new name in its first line.

export type UnsignedReport = Omit<MigrationReport, 'signature'>;

/** Signs the heads of the chains and the figures of a report. */
export function signed(report: UnsignedReport, key: KeyObject): MigrationReport {
  const text = signedText(report);
  return {
    ...report,
    signature: {
      algorithm: 'ed25519',
      public_key: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
      text,
      value: sign(null, Buffer.from(text), key).toString('base64'),
    },
  };
}

function signedText(report: UnsignedReport): string {
  const document = JSON.stringify({ ...report, signature: null });
  const runs = report.parts.flatMap((part) => part.runs);
  return [
    'dataimport-signature-1',
    `made ${report.made_at}`,
    `document ${createHash('sha256').update(document).digest('hex')}`,
    ...runs.map((run) => `run ${run.run} ${run.chain_links} ${run.chain_head}`),
    '',
  ].join('\n');
}

/** A private key of Ed25519. @throws AppError `signing_key_unusable` */
export function signingKey(
  pem: string,
  { file, passphrase }: { file: string; passphrase: string | undefined },
): KeyObject {
  const isEncrypted = pem.includes('ENCRYPTED');
  if (isEncrypted && passphrase === undefined)
    throw new AppError('signing_key_unusable', { file, reason: 'it has a passphrase, and none is given' });
  return keyOf(
    file,
    () => createPrivateKey({ key: pem, format: 'pem', ...(passphrase !== undefined && { passphrase }) }),
    // About one wrong passphrase in 256 decrypts to bytes that OpenSSL calls an unsupported key.
    isEncrypted ? 'the passphrase is wrong, or the file is damaged' : undefined,
  );
}

/** A public key of Ed25519. @throws AppError `signing_key_unusable` */
export function publicKey(pem: string, file: string): KeyObject {
  // Node would derive the public key of a private one, and nobody else should have that.
  if (pem.includes('PRIVATE KEY'))
    throw new AppError('signing_key_unusable', { file, reason: 'it is a private key' });
  return keyOf(file, () => createPublicKey({ key: pem, format: 'pem' }));
}

function keyOf(file: string, read: () => KeyObject, reason = 'it is no key in PEM'): KeyObject {
  let key: KeyObject;
  try {
    key = read();
  } catch (error) {
    // The messages of OpenSSL mean nothing to most people.
    throw new AppError('signing_key_unusable', { file, reason }, error);
  }
  if (key.asymmetricKeyType === 'ed25519') return key;
  const kind = `it is a key of ${key.asymmetricKeyType}, and a signature needs Ed25519`;
  throw new AppError('signing_key_unusable', { file, reason: kind });
}

/** A signed document, as `report --json --sign` makes it. */
export interface SignedReport {
  /** As it was typed. */
  readonly file: string;
  readonly report: MigrationReport;
}

/**
 * A document whose signature is that of the key and whose content is what was signed.
 * @throws AppError `signature_refused`
 */
export function signedReport(text: string, { file, key }: { file: string; key: KeyObject }): SignedReport {
  const refused = (reason: string): AppError => new AppError('signature_refused', { file, reason });
  const document = documentIn(text);
  const parsed = migrationReport.safeParse(document);
  if (!parsed.success) throw refused('it is no document of `report --json`');
  const { signature } = parsed.data;
  if (!signature) throw refused('it has no signature');
  const value = Buffer.from(signature.value, 'base64');
  if (!verify(null, Buffer.from(signature.text), key, value))
    throw refused('the signature is not of this key, or was changed');
  // The order of keys counts, so the document is hashed as it was written.
  if (signedText(document as MigrationReport) !== signature.text)
    throw refused('its content is not what was signed');
  return { file, report: parsed.data };
}

/**
 * `others`: runs that brought rows to the platform before. A report of the newest version of the files need not name them.
 * @throws AppError `signature_refused` when a chain is not the one that was signed
 */
export function assertSigned(
  chains: readonly (ProvenChain & { run: string })[],
  { file, report }: SignedReport,
  others: ReadonlyMap<string, unknown>,
): void {
  const runs = new Map(report.parts.flatMap((part) => part.runs).map((run) => [run.run, run]));
  for (const { run, head, links } of chains) {
    const known = runs.get(run);
    if (!known && others.has(run)) continue;
    const reason = !known
      ? `it has no run ${run}`
      : `the chain of the run ${run} has ${links} links and the head ${head}, and it signs ${known.chain_links} and ${known.chain_head}`;
    if (known?.chain_head !== head || known.chain_links !== links)
      throw new AppError('signature_refused', { file, reason });
  }
}

/** Undefined for a text that is no JSON, or has a key twice, of which other readers may take another value. */
function documentIn(text: string): unknown {
  try {
    parseExactJson(text);
    return plainJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
