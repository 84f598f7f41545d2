import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/core/contract/descriptor.ts';
import { ENDPOINTS, pathOf } from '../../../src/core/contract/endpoints.ts';
import { nodesOf, sourceFiles } from '../../support/source-tree.ts';

/** The table of interface.md 4.1, word for word except for the spelling of the segments. */
const SUMMARY = [
  ['POST', '/v1/data-import/notes/create/', [201]],
  ['POST', '/v1/data-import/transactions/create/', [201]],
  // 4.4: a client must accept either.
  ['POST', '/v1/data-import/historical-statements/create/', [200, 201]],
  ['POST', '/v1/data-import/payment-instruction/create/', [201]],
  ['GET', '/v1/data-import/account-transfer-status/:importSupplier/:externalAccountNumber/', [200]],
  ['GET', '/v1/data-import/all-account-import-processes/:importSupplier/', [200]],
  ['GET', '/v1/data-import/pending-account-import-processes/:importSupplier/', [200]],
  ['GET', '/v1/data-import/imported-account-import-processes/:importSupplier/', [200]],
];

test('every endpoint of interface.md 4.1 is declared once', () => {
  const declared = Object.values<Endpoint>(ENDPOINTS).map(({ method, path, success }) => [
    method,
    path,
    success.toSorted((a, b) => a - b),
  ]);
  // A resource beyond the interface has an endpoint of its own.
  expect(declared).toEqual(expect.arrayContaining([...SUMMARY]));
  expect(new Set(declared.map(([, path]) => path)).size).toBe(declared.length);
});

test('no other file of the sources spells out a path of an endpoint', () => {
  const spelled = sourceFiles('src')
    .filter(({ path }) => !/^core\/contract\/(endpoints\.ts$|resources\/)/.test(path))
    .flatMap((file) =>
      nodesOf(file).flatMap(({ node }) =>
        node.type === 'Literal' && String(node['value']).includes('/v1/data-import') ? [file.path] : [],
      ),
    );
  expect(spelled).toEqual([]);
});

describe('a path', () => {
  test('has its segments filled in', () => {
    const segments = { importSupplier: 'ACME', externalAccountNumber: '00123' };
    expect(pathOf(ENDPOINTS.accountTransferStatus, segments)).toBe(
      '/v1/data-import/account-transfer-status/ACME/00123/',
    );
    expect(pathOf(ENDPOINTS.createNotes)).toBe('/v1/data-import/notes/create/');
  });

  test.each([
    ['A/B', 'A%2FB'],
    ['A?b=c', 'A%3Fb%3Dc'],
    ['A#b', 'A%23b'],
    ['%2e', '%252e'],
    ['Ä 1', '%C3%84%201'],
    [':importSupplier', '%3AimportSupplier'],
    ['$&', '%24%26'],
  ])('keeps %j inside its segment', (importSupplier, escaped) => {
    expect(pathOf(ENDPOINTS.allAccountImportProcesses, { importSupplier })).toBe(
      `/v1/data-import/all-account-import-processes/${escaped}/`,
    );
  });
});
