import { AppError } from '../../core/app-error.ts';
import { readText } from '../command/typed-file.ts';
import { publicKey, signedReport, type SignedReport } from '../report/signature.ts';

/** The flags of `verify` about a signed report. */
export interface SignedFlags {
  /** Document of `report --json --sign`, whose heads the runs must have. */
  readonly signed?: string;
  /** The key that it must be signed with. */
  readonly publicKey?: string;
}

/**
 * The signed report that the flags name, or undefined without them.
 * @throws AppError `usage`, `signing_key_unusable`, `signature_refused`, `file_not_readable`
 */
export function readSigned(
  { signed, publicKey: keyFile }: SignedFlags,
  cwd: string,
): SignedReport | undefined {
  if (signed === undefined && keyFile === undefined) return undefined;
  if (signed === undefined || keyFile === undefined)
    throw new AppError('usage', { reason: '--signed and --public-key belong together', command: 'verify' });
  const key = publicKey(readText(keyFile, cwd), keyFile);
  return signedReport(readText(signed, cwd), { file: signed, key });
}
