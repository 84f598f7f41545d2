import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HTTP_LIMITS, MAX_HEADERS } from '../../../src/server/options/http-limits.ts';
import { JSON_LIMITS } from '../../../src/server/http/body.ts';
import { projectRoot } from '../../support/source-tree.ts';

test('docs/serve-reference.md names the limits of the server', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'serve-reference.md'), 'utf8');
  const section = page.split('\n## ').find((part) => part.startsWith('Refused requests'))!;
  const { headersTimeoutMs, requestTimeoutMs, maxConnections, maxRequestsPerSocket } = HTTP_LIMITS;
  for (const words of [
    `${headersTimeoutMs / 1_000} s, a whole request that takes longer than ${requestTimeoutMs / 1_000} s`,
    `${(maxConnections + 1).toLocaleString('en')}st connection`,
    `${maxRequestsPerSocket.toLocaleString('en')}th request`,
    `${MAX_HEADERS} lines`,
    `${JSON_LIMITS.depth + 1} levels`,
    `${JSON_LIMITS.keys.toLocaleString('en')} keys`,
  ])
    expect(section).toContain(words);
});
