import { X509Certificate } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import { readBinaryFile } from '../../files/text-file.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The certificates of a file, in PEM, without anything else in the file.
 * @throws AppError `file_not_readable`, `ca_file_invalid`
 */
export function certificatesOf(file: string): string {
  const text = Buffer.from(readBinaryFile(file)).toString('latin1');
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
