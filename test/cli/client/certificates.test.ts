import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/core/app-error.ts';
import { openPlatform } from '../../support/http-client.ts';
import {
  AUTHORITY_FILE,
  LOOPBACK_FILE,
  tlsServer,
  tunnelProxy,
  type CertificateName,
} from '../../support/platform-behind-tls.ts';

const TOKEN = { kind: 'token', token: 'given-token' } as const;
const GET = { method: 'GET', path: '/v1/x/', body: null } as const;
const authority = readFileSync(AUTHORITY_FILE, 'latin1');

/** A platform whose name no DNS server knows, so requests go through a proxy. */
async function platformWith(certificate: CertificateName, ca?: string) {
  let requests = 0;
  const port = await tlsServer(certificate, (_, response) => {
    requests++;
    response.end('{}');
  });
  const proxy = {
    httpProxy: '',
    httpsProxy: `http://127.0.0.1:${(await tunnelProxy(port)).port}`,
    noProxy: '',
  };
  const { platform, records } = openPlatform('https://platform.example', TOKEN, {
    proxy,
    ...(ca === undefined ? {} : { ca }),
  });
  return { platform, records, requests: () => requests };
}

test('a certificate of a configured authority is accepted', async () => {
  const { platform } = await platformWith('platform', authority);
  expect(await platform.send(GET)).toMatchObject({ kind: 'answer', status: 200 });
});

describe('a certificate is refused, and nothing is sent', () => {
  test.each([
    ['from an unknown authority', 'platform', undefined, /^unable to (?:get|verify)/],
    ['that is self-signed', 'self-signed', authority, /^self-signed certificate/],
    ['that has expired', 'expired', authority, /^certificate has expired, or the clock/],
    ['of another host', 'other-host', authority, /^Hostname\/IP does not match/],
  ] as const)('%s', async (_, certificate, ca, reason) => {
    const { platform, records, requests } = await platformWith(certificate, ca);
    const error = await platform.send(GET).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      code: 'certificate_refused',
      facts: { host: 'platform.example', reason: expect.stringMatching(reason) as string },
    });
    expect(records).toMatchObject([{ outcome: 'not_sent', reason: (error as AppError).message }]);
    expect(requests()).toBe(0);
  });

  test('also without a proxy, and NODE_TLS_REJECT_UNAUTHORIZED does not change that', async () => {
    const port = await tlsServer('self-signed', (_, response) => void response.end('{}'));
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const { platform } = openPlatform(`https://127.0.0.1:${port}`, TOKEN);
      await expect(platform.send(GET)).rejects.toMatchObject({ code: 'certificate_refused' });
      // Without our own option the variable would decide.
      expect((await fetch(`https://127.0.0.1:${port}`)).status).toBe(200);
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });
});

describe('a server that wants a certificate of the client', () => {
  const ca = readFileSync(LOOPBACK_FILE, 'latin1');
  const platformWanting = async (options: object) => {
    const port = await tlsServer('loopback', (_, response) => void response.end('{}'), { ca, ...options });
    return openPlatform(`https://127.0.0.1:${port}`, TOKEN, { ca }).platform;
  };

  test.each([
    ['TLSv1.3', 'certificate required'],
    ['TLSv1.2', 'handshake failure'],
  ] as const)('is named, with %s', async (version, alert) => {
    const wants = { requestCert: true, rejectUnauthorized: true };
    const platform = await platformWanting({ minVersion: version, maxVersion: version, ...wants });
    expect(await platform.send(GET)).toMatchObject({
      reason: expect.stringContaining(`with the alert “${alert}”`) as string,
    });
  });

  test('is no hindrance when it answers without one', async () => {
    const platform = await platformWanting({ requestCert: true, rejectUnauthorized: false });
    expect(await platform.send(GET)).toMatchObject({ kind: 'answer', status: 200 });
  });
});
