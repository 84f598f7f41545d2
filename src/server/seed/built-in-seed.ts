import type { SeedFile } from './seed-file.ts';

/**
 * The seed of a platform that is started without one. It is small enough to print and has one entry of each kind.
 * docs/serve-reference.md shows it as a file. Reading it from a file would take a sixth of the time of a start.
 */
export const BUILT_IN_SEED = {
  version: 1,
  api_keys: [{ key: 'local-key', suppliers: ['ACME'] }],
  suppliers: [
    { code: 'ACME', name: 'Acme Energy', status: 'Ongoing', document_root: 's3://migration/acme/' },
  ],
  accounts: [
    {
      import_supplier: 'ACME',
      external_account_number: '1001',
      state: 'imported',
      open_statement: { from: '2026-01-01', to: '2026-12-31' },
    },
    { import_supplier: 'ACME', external_account_number: '1002', state: 'staged' },
  ],
  vendors: [
    {
      code: 'STRIPE',
      instructions: [
        { reference: 'pi_1', type: 'CARD' },
        { reference: 'pi_2', type: 'CARD', fails: 'intermittent', times: 2 },
      ],
    },
  ],
  product_codes: ['FLEX-12'],
} as const satisfies SeedFile;
