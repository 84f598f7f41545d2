import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { signingKey } from '../../../src/cli/report/signature.ts';

const isCalledUnsupported = (key: string, passphrase: string): boolean => {
  try {
    createPrivateKey({ key, passphrase });
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_OSSL_UNSUPPORTED';
  }
};

test('says that a passphrase is wrong, also where OpenSSL calls the key unsupported', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'correct horse' };
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }).toString();
  let number = 0;
  // Such a passphrase leaves a valid padding by chance: about one in 256 does.
  while (!isCalledUnsupported(pem, `wrong ${number}`)) number += 1;
  const wrong = (passphrase: string) => () => signingKey(pem, { file: 'lead.pem', passphrase });
  expect(wrong(`wrong ${number}`)).toThrow('the passphrase is wrong, or the file is damaged');
  expect(wrong('correct horse')).not.toThrow();
});
