import { X509Certificate } from 'node:crypto';
import { AppError } from '../../core/app-error.ts';
import { readBinaryFile } from '../../files/text-file.ts';

const CERTIFICATES = 'certificates in PEM, each from `-----BEGIN CERTIFICATE-----` to its end';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * The certificates of a file, in PEM, without anything else in the file.
 * @throws AppError `file_not_readable`, `setting_invalid`
 */
export function certificatesOf(file: string): string {
  const text = Buffer.from(readBinaryFile(file)).toString('latin1');
  const certificates = text.match(CERTIFICATE) ?? [];
  const invalid = (reason: string, cause?: unknown): AppError =>
    new AppError(
      'setting_invalid',
      { setting: 'caFile', source: file, reason, accepted: CERTIFICATES },
      cause,
    );
  if (certificates.length === 0) throw invalid('it contains no certificate in PEM');
  certificates.forEach((certificate, index) => {
    try {
      new X509Certificate(certificate);
    } catch (error) {
      throw invalid(`certificate ${index + 1} of ${certificates.length} cannot be read`, error);
    }
  });
  return certificates.join('\n');
}
