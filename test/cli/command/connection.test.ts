import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXITS } from '../../../src/cli/output/exit-codes.ts';
import { fakeIo, runCli } from '../../support/cli-io.ts';
import {
  AUTHORITY_FILE,
  tlsServer,
  tunnelProxy,
  type CertificateName,
  type InPlaceOfTunnel,
} from '../../support/platform-behind-tls.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const PASSWORD = 'pr0xy-s3cr3t';

/** A platform that gives tokens, has no accounts, and accepts one note. */
const platform: RequestListener = (request, response) => {
  const answers: Readonly<Record<string, readonly [number, unknown]>> = {
    '/v1/graphql/': [200, { data: { obtainPlatformToken: { token: 'the-token' } } }],
    '/v1/data-import/notes/create/': [
      201,
      [{ created_at: '2026-01-05T10:00:00Z', body: 'Note', status: 'NOTE_CREATION_SUCCESS' }],
    ],
  };
  const path = request.url!.split('?')[0]!;
  const [status, body] = answers[path] ?? [200, []];
  request.resume().on('end', () => response.writeHead(status).end(JSON.stringify(body)));
};

/** A folder with commands typed in it, and a platform behind TLS and a proxy. */
async function site(certificate: CertificateName, instead?: InPlaceOfTunnel, answer = platform) {
  const port = await tlsServer(certificate, answer);
  const proxy = await tunnelProxy(port, instead);
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'notes.csv'),
    'import_supplier,external_account_number,body,created_at\nACME,1001,Note,2026-01-05T10:00:00Z\n',
  );
  const env = {
    DATAIMPORT_BASE_URL: 'https://platform.example',
    DATAIMPORT_API_KEY: 'the-api-key',
    HTTPS_PROXY: `http://jo:${PASSWORD}@127.0.0.1:${proxy.port}`,
  };
  const cli = async (...argv: readonly string[]) => {
    const ended = await runCli(argv, fakeIo({ cwd, env, chance: 0.5, maxWaits: 1 }));
    expect(ended.stdout + ended.stderr).not.toMatch(new RegExp(`${PASSWORD}|the-api-key|the-token`));
    return ended;
  };
  return { cli, cwd, proxy };
}

test('a platform behind a proxy, with a certificate of a private authority, is reached with --ca-file', async () => {
  const { cli, proxy } = await site('platform');
  const { exitCode, stdout } = await cli('auth', '--supplier', 'ACME', '--ca-file', AUTHORITY_FILE);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: expect.stringContaining('answered') as string,
  });
  expect(stdout).toContain(`proxy        http://127.0.0.1:${proxy.port}\n`);
  const { json } = await cli('auth', '--supplier', 'ACME', '--ca-file', AUTHORITY_FILE, '--json');
  expect(json()).toMatchObject({ proxy: `http://127.0.0.1:${proxy.port}` });
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT platform.example:443']));
});

describe('a certificate that is not accepted ends the command at once, with the next step', () => {
  test.each([
    ['platform', [], 'unable to verify the first certificate'],
    ['self-signed', ['--ca-file', AUTHORITY_FILE], 'self-signed certificate'],
    [
      'expired',
      ['--ca-file', AUTHORITY_FILE],
      'certificate has expired, or the clock of this machine is wrong',
    ],
    ['other-host', ['--ca-file', AUTHORITY_FILE], "Hostname/IP does not match certificate's altnames"],
  ] as const)('%s %j', async (certificate, flags, reason) => {
    const { cli } = await site(certificate);
    const { exitCode, stderr } = await cli('auth', ...flags);
    expect(exitCode).toBe(EXITS.UNFINISHED.code);
    expect(stderr).toContain(
      `certificate_refused the certificate of platform.example is not accepted: ${reason}`,
    );
    expect(stderr).toMatch(/^next: .*--ca-file/m);
  });

  test('ends a push, too, which works once the authority is given', async () => {
    const { cli } = await site('platform');
    const stopped = await cli('push', 'notes', 'notes.csv');
    expect(stopped.exitCode).toBe(EXITS.UNFINISHED.code);
    expect(stopped.stderr).toContain('certificate_refused');
    const ended = await cli('push', 'notes', 'notes.csv', '--ca-file', AUTHORITY_FILE);
    expect(ended.exitCode, ended.stderr).toBe(EXITS.OK.code);
    expect(ended.stdout).toContain('1 arrived');
  });
});

test('a proxy that refuses the credentials ends the command as AUTH, and the password stays hidden', async () => {
  const { cli, proxy } = await site(
    'platform',
    (client) => void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
  );
  const { exitCode, stderr } = await cli('push', 'notes', 'notes.csv', '--ca-file', AUTHORITY_FILE, '-v');
  expect(exitCode).toBe(EXITS.AUTH.code);
  expect(stderr).toContain(`the proxy http://127.0.0.1:${proxy.port} wants another user name and password`);
});

test('the next command names the typed file of certificates', async () => {
  const { cli, cwd } = await site('platform', undefined, (request, response) =>
    request.url!.includes('/notes/') ? void response.writeHead(503).end() : platform(request, response),
  );
  writeFileSync(join(cwd, 'ca.pem'), '');
  expect((await cli('auth', '--ca-file', 'ca.pem')).stderr).toContain('it contains no certificate in PEM');
  const { stdout, exitCode } = await cli(
    'push',
    'notes',
    'notes.csv',
    '--retry-for',
    '1ms',
    '--ca-file',
    AUTHORITY_FILE,
  );
  expect(exitCode).toBe(EXITS.UNFINISHED.code);
  expect(stdout).toMatch(
    /next: dataimport push notes notes\.csv --retry-for 1ms --ca-file \S+authority\.pem\n/,
  );
});
