import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AppError } from '../../core/app-error.ts';
import { fileReason } from '../../core/file-reason.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The certificates of a file, in PEM, without anything else in the file.
 * @throws AppError `file_not_readable`, `ca_file_invalid`
 */
export function certificatesOf(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch (error) {
    throw new AppError('file_not_readable', { file, reason: fileReason(error) }, error);
  }
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0)
    throw new AppError('ca_file_invalid', { file, reason: 'it contains no certificate in PEM' });
  certificates.forEach((certificate, index) => {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      const reason = `certificate ${index + 1} of ${certificates.length} cannot be read`;
      throw new AppError('ca_file_invalid', { file, reason }, error);
    }
  });
  return certificates.join('\n');
}
