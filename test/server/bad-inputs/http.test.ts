import { describe, expect, test } from 'vitest';
import { ENDPOINTS, pathOf } from '../../../src/core/contract/endpoints.ts';
import { chanceFrom } from '../../harness/chance.ts';
import { exchange } from '../../support/server-bytes.ts';
import { expectHarmless, expectRevealsNothing, refusedBytes } from '../../support/server-harm.ts';
import { ACCOUNT, startPlatform, type TestPlatform } from '../../support/server-platform.ts';

const NOTES = ENDPOINTS.createNotes.path;
const LIST = pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier: 'ACME' });
const GOOD = JSON.stringify({ ...ACCOUNT, notes: [{ body: 'x' }] });
const CHUNKED = `${GOOD.length.toString(16)}\r\n${GOOD}\r\n0\r\n\r\n`;

/** Replaces `<token>`, `<port>` and `<length>` by the values of the running platform, and `|` by the end of a line. */
async function filled(platform: TestPlatform, text: string): Promise<string> {
  return text
    .replaceAll('|', '\r\n')
    .replaceAll('<token>', await platform.token())
    .replaceAll('<port>', String(platform.port))
    .replaceAll('<length>', String(GOOD.length));
}

const POST = `POST ${NOTES} HTTP/1.1|Host: localhost|Authorization: Token <token>|Content-Type: application/json|`;
const GET = `GET ${LIST} HTTP/1.1|Host: localhost|Authorization: Token <token>|`;

describe('the request line and the Host header', () => {
  test.each([
    ['[H01] no Host header', `GET ${LIST} HTTP/1.1||`, 400],
    ['[H02] two Host headers', `GET ${LIST} HTTP/1.1|Host: localhost|Host: evil.com||`, 400],
    ['[H03] the Host of another site', `GET ${LIST} HTTP/1.1|Host: evil.com||`, 421],
    ['[H04] a wrong port', `GET ${LIST} HTTP/1.1|Host: 127.0.0.1:1||`, 421],
    ['[H04] a name with a dot at its end', `GET ${LIST} HTTP/1.1|Host: localhost.:<port>||`, 421],
    ['[H04] a shortened address', `GET ${LIST} HTTP/1.1|Host: 127.1:<port>||`, 421],
    ['[H04] an address in another notation', `GET ${LIST} HTTP/1.1|Host: [::ffff:127.0.0.1]:<port>||`, 421],
    ['[H05] a request line of HTTP/0.9', `GET ${LIST}||`, [505, 400]],
    ['[H06] HTTP/1.0 without Host', `GET ${LIST} HTTP/1.0||`, 505],
    ['[H07] HTTP/9.9', `GET ${LIST} HTTP/9.9|Host: localhost||`, 400],
    ['[H08] an unknown method', `FOO ${LIST} HTTP/1.1|Host: localhost||`, 400],
    ['[H09] a method in lower case', `get ${LIST} HTTP/1.1|Host: localhost||`, 400],
    ['[H10] TRACE', `TRACE ${LIST} HTTP/1.1|Host: localhost||`, 405],
    [
      '[H12] the preflight of a foreign page',
      `OPTIONS ${NOTES} HTTP/1.1|Host: localhost|Origin: http://evil.com|Access-Control-Request-Method: POST||`,
      405,
    ],
    ['[H13] a URL for a proxy', `GET http://evil.com/x HTTP/1.1|Host: localhost||`, 421],
    [
      '[H13] a URL for a proxy that names this server',
      `GET http://localhost:<port>${LIST} HTTP/1.1|Host: localhost||`,
      401,
    ],
    [
      '[H13] the same with the Host of another site',
      `GET http://localhost:<port>${LIST} HTTP/1.1|Host: evil.com||`,
      421,
    ],
    ['[H13] a user before the host', `GET http://localhost@evil.com/ HTTP/1.1|Host: localhost||`, 421],
    ['[H14] a path that leaves every folder', `GET /../../etc/passwd HTTP/1.1|Host: localhost||`, 404],
    ['[H14] the same, escaped', `GET /%2e%2e%2f%2e%2e%2fetc/passwd HTTP/1.1|Host: localhost||`, 404],
    ['[H15] a NUL in the path', `GET /%00 HTTP/1.1|Host: localhost||`, 404],
    ['[H16] a path that cannot be decoded', `GET /%zz HTTP/1.1|Host: localhost||`, 404],
    [
      '[H16] an account that cannot be decoded',
      `GET /v1/data-import/account-transfer-status/ACME/%zz/ HTTP/1.1|Host: localhost||`,
      404,
    ],
    [
      '[H17] doubled slashes',
      `POST //v1//data-import//notes/create/ HTTP/1.1|Host: localhost|Content-Length: 0||`,
      404,
    ],
    [
      '[H18] no slash at the end',
      `POST ${NOTES.slice(0, -1)} HTTP/1.1|Host: localhost|Content-Length: 0||`,
      404,
    ],
    [
      '[H19] a path in capitals',
      `POST ${NOTES.toUpperCase()} HTTP/1.1|Host: localhost|Content-Length: 0||`,
      404,
    ],
    ['[H39] an unknown expectation', `${GET}Expect: banana||`, 417],
    ['[H66] PUT on a path with POST', POST.replace('POST', 'PUT') + `Content-Length: <length>||${GOOD}`, 405],
    ['[H66] DELETE on a path with POST', GET.replace('GET', 'DELETE').replace(LIST, NOTES) + '|', 405],
    ['[H66] GET on a path with POST', GET.replace(LIST, NOTES) + '|', 405],
    ['[H68] a page of another site', `${GET}Origin: http://evil.com||`, 403],
    ['[H68] a page without a site', `${GET}Origin: null||`, 403],
    ['[H68] a page that the browser calls foreign', `${GET}Sec-Fetch-Site: cross-site||`, 403],
    [
      '[H68] a page of another port of this machine',
      `${GET}Origin: http://localhost:3000|Sec-Fetch-Site: same-site||`,
      403,
    ],
  ])('%s is refused', async (_, text, statuses) => {
    const platform = await startPlatform();
    const { answers, isClosed, text: all } = await refusedBytes(platform, await filled(platform, text));
    expect(answers.length > 0 || isClosed, all).toBe(true);
    expect([statuses].flat()).toContain(answers[0]?.status);
    expect(answers[0]?.headers['location']).toBeUndefined();
    if (answers[0]?.status === 405) expect(answers[0].headers['allow']).toMatch(/^(POST|GET, HEAD)$/);
  });

  test('[H66] HEAD on a path with POST is a 405 without a body', async () => {
    const platform = await startPlatform();
    const { text } = await refusedBytes(
      platform,
      await filled(platform, `${GET.replace('GET', 'HEAD').replace(LIST, NOTES)}Connection: close||`),
      { untilClosed: true },
    );
    expect(text).toMatch(/^HTTP\/1\.1 405 [^{]*$/);
  });

  test('[H11] CONNECT opens no tunnel', async () => {
    const platform = await startPlatform();
    const { text, isClosed } = await refusedBytes(
      platform,
      'CONNECT evil.com:443 HTTP/1.1\r\nHost: evil.com:443\r\n\r\n',
    );
    expect([text, isClosed]).toEqual(['', true]);
  });

  test('[H14] no path reveals a file of this machine', async () => {
    const platform = await startPlatform();
    for (const path of [
      '/../../etc/passwd',
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/....//etc/passwd',
    ]) {
      const { text } = await exchange(platform.port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      expect(text).toContain(' 404 ');
      expect(text).not.toContain('root:');
    }
  });

  test.each(['maybe', '', '1', 'true&check_previously_added=false', '&check_previously_added[]=true', '%00'])(
    '[H20] a query parameter `check_previously_added=%s` is refused',
    async (value) => {
      const platform = await startPlatform();
      const answer = await platform.post(
        'createTransactions',
        { ...ACCOUNT, transactions: [{}] },
        {
          query: `?check_previously_added=${value}`,
        },
      );
      expect([answer.status, answer.body.errors[0].attr]).toEqual([
        400,
        expect.stringContaining('check_previously_added'),
      ]);
      await expectHarmless(platform);
    },
  );
});

describe('the end of a request', () => {
  test.each([
    [
      '[H21] Content-Length and Transfer-Encoding',
      `${POST}Content-Length: 3|Transfer-Encoding: chunked||${CHUNKED}`,
      400,
    ],
    ['[H22] Transfer-Encoding: gzip', `${POST}Transfer-Encoding: gzip||${GOOD}`, 400],
    ['[H23] chunked, identity', `${POST}Transfer-Encoding: chunked, identity||${CHUNKED}`, 400],
    ['[H24] two lengths', `${POST}Content-Length: <length>|Content-Length: 3||${GOOD}`, 400],
    ['[H25] a negative length', `${POST}Content-Length: -1||${GOOD}`, 400],
    ['[H26] a length with a plus', `${POST}Content-Length: +7||${GOOD}`, 400],
    ['[H26] a length with an exponent', `${POST}Content-Length: 1e1||${GOOD}`, 400],
    ['[H27] a length of 2^64', `${POST}Content-Length: 18446744073709551616||${GOOD}`, 400],
    ['[H28] a chunk size that is no number', `${POST}Transfer-Encoding: chunked||zz|${GOOD}|0||`, 400],
    ['[H28] a chunk longer than its size', `${POST}Transfer-Encoding: chunked||3|${GOOD}|0||`, 400],
    [
      '[H29] a chunk extension of 20 kB',
      `${POST}Transfer-Encoding: chunked||3;x=${'y'.repeat(20_000)}|abc|0||`,
      413,
    ],
    ['[H30] line ends without CR', `GET ${LIST} HTTP/1.1\nHost: localhost\n\n`, 400],
    ['[H31] a folded header', `${GET}X-Long: one| two||`, 400],
    ['[H32] a space before the colon', `${GET}X-Spaced : one||`, 400],
    ['[H33] NUL in a header', `${GET}X-Nul: a\0b||`, 400],
    ['[H33] CR in a header', `${GET}X-Cr: a\rb||`, 400],
    ['[H34] a header of 17 kB', `${GET}X-Long: ${'x'.repeat(17_000)}||`, 431],
    ['[H35] a URL of 17 kB', `GET /${'x'.repeat(17_000)} HTTP/1.1|Host: localhost||`, 431],
    ['[H36] 3,000 headers', `${GET}${'x: y|'.repeat(3_000)}|`, 431],
    ['[H36] 250 short headers', `${GET}${'x: y|'.repeat(250)}|`, 431],
    ['[H41] the preface of HTTP/2', 'PRI * HTTP/2.0||SM||', 400],
  ])('%s is refused, and the connection with it', async (_, text, status) => {
    const platform = await startPlatform();
    const { answers } = await refusedBytes(platform, await filled(platform, text), {
      untilClosed: status !== 431,
    });
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  });

  test('[H42] the beginning of TLS is refused', async () => {
    const platform = await startPlatform();
    const hello = Buffer.concat([Buffer.from('16030100c8010000c40303', 'hex'), Buffer.alloc(190, 0x5a)]);
    const { answers, isClosed } = await refusedBytes(platform, hello, { untilClosed: true });
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[400], true]);
  });

  test('[H43] random bytes are refused', async () => {
    const platform = await startPlatform();
    for (let seed = 1; seed <= 500; seed++) {
      const chance = chanceFrom(seed);
      const bytes = Uint8Array.from({ length: 64 }, () => chance.below(256));
      const { answers, isClosed } = await exchange(platform.port, bytes, {
        isHalfClosed: true,
        untilClosed: true,
      });
      expect([isClosed, answers.every(({ status }) => status === 400)], `seed ${seed}`).toEqual([true, true]);
    }
    await expectHarmless(platform);
  });

  test('[H44] three POSTs in a row get three answers in their order', async () => {
    const platform = await startPlatform();
    const token = await platform.token();
    const bodies = ['one', 'two', 'three'].map((body) => JSON.stringify({ ...ACCOUNT, notes: [{ body }] }));
    const requests = bodies.map(
      (body) =>
        `POST ${NOTES} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const { answers } = await exchange(platform.port, requests.join(''), { answers: 3 });
    expect(answers.map(({ status, body }) => [status, JSON.parse(body)[0].body])).toEqual([
      [201, 'one'],
      [201, 'two'],
      [201, 'three'],
    ]);
  });

  test('[H44] two POSTs get their answers before a third whose chunks are wrong gets a 400', async () => {
    const platform = await startPlatform();
    const head = `${await filled(platform, POST)}Transfer-Encoding: chunked\r\n\r\n`;
    const bytes = [CHUNKED, CHUNKED, `zz${CHUNKED}`].map((body) => head + body).join('');
    const { answers, isClosed } = await exchange(platform.port, bytes, { untilClosed: true });
    expect([answers.map(({ status }) => status), isClosed]).toEqual([[201, 201, 400], true]);
  });

  test('[H46] a body that ends before its length is a 400, and nothing is stored', async () => {
    const platform = await startPlatform();
    const text = await filled(platform, `${POST}Content-Length: ${GOOD.length + 1}||${GOOD}`);
    const { answers } = await refusedBytes(platform, text, { isHalfClosed: true, untilClosed: true });
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });
});

describe('headers without effect', () => {
  test.each([
    ['[H37] a header named __proto__', '__proto__: x|constructor: y|'],
    [
      '[H40] an upgrade to HTTP/2',
      'Connection: Upgrade, HTTP2-Settings|Upgrade: h2c|HTTP2-Settings: AAMAAABkAAQAAP__|',
    ],
    [
      '[H40] an upgrade to a web socket',
      'Connection: Upgrade|Upgrade: websocket|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|',
    ],
    [
      '[H67] headers of a proxy',
      'X-Forwarded-For: 10.0.0.1|X-Forwarded-Host: evil.com|X-Forwarded-Proto: https|Forwarded: for=10.0.0.1|',
    ],
    ['[H67] another method', 'X-HTTP-Method-Override: DELETE|X-Method-Override: DELETE|'],
    ['[H68] a page of this server', 'Sec-Fetch-Site: same-origin|Origin: http://localhost|'],
    ['[H68] an address that the user typed', 'Sec-Fetch-Site: none|'],
  ])('%s changes nothing', async (_, headers) => {
    const platform = await startPlatform();
    const plain = await exchange(platform.port, await filled(platform, `${GET}|`));
    const { answers } = await exchange(platform.port, await filled(platform, `${GET}${headers}|`));
    expect(answers[0]).toMatchObject({ status: 200, body: plain.answers[0]!.body });
    for (const answer of answers) expectRevealsNothing(answer);
  });

  test('[H67] the connection decides whether a client is local, never a header', async () => {
    const platform = await startPlatform();
    const far = 'GET /_local/health HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n';
    expect((await exchange(platform.port, far)).answers[0]?.status).toBe(200);
  });
});
