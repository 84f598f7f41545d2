import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { certificatesOf } from '../../../src/cli/settings/ca-file.ts';
import { AUTHORITY_FILE } from '../../support/platform-behind-tls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const AUTHORITY = readFileSync(AUTHORITY_FILE, 'latin1').trim();

function fileOf(text: string): string {
  const file = join(temporaryFolder(), 'ca.pem');
  writeFileSync(file, text);
  return file;
}

test.each([
  ['one certificate', `${AUTHORITY}\n`, 1],
  [
    'two, with words and line ends of another system between them',
    `# ours\r\n${AUTHORITY}\r\n# theirs\r\n${AUTHORITY}`,
    2,
  ],
])('a file of %s is read', (_, text, count) => {
  const found = certificatesOf(fileOf(text));
  expect(found.match(/BEGIN CERTIFICATE/g)).toHaveLength(count);
  expect(found).not.toContain('#');
});

test.each([
  ['', 'it contains no certificate in PEM'],
  ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', 'it contains no certificate in PEM'],
  [AUTHORITY.replace('-----END CERTIFICATE-----', ''), 'it contains no certificate in PEM'],
  [`${AUTHORITY}\n${AUTHORITY.replace(/\nMII/, '\nAAA')}`, 'certificate 2 of 2 cannot be read'],
])('%j is no file of certificates', (text, reason) => {
  const file = fileOf(text);
  expect(() => certificatesOf(file)).toThrow(
    expect.objectContaining({
      code: 'setting_invalid',
      facts: expect.objectContaining({ source: file, reason }) as unknown,
    }) as Error,
  );
});
