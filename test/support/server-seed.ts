/** The seed of most server tests: one of everything that an answer depends on. */
export const TEST_SEED = `version: 1
api_keys:
  - { key: all-key }
  - { key: acme-key, suppliers: [ACME, EMPTY] }
suppliers:
  - { code: ACME, name: Acme Energy, status: Ongoing, document_root: "s3://migration/acme/" }
  - { code: BETA, name: Beta Power, status: Ongoing }
  - { code: EMPTY, name: Nobody yet, status: Ongoing }
  - { code: PAUSED, name: Paused Power, status: Paused }
  - { code: DONE, name: Done Power, status: Complete }
accounts:
  - { import_supplier: ACME, external_account_number: "1001", state: imported, open_statement: { from: 2026-01-01, to: 2026-12-31 } }
  - { import_supplier: ACME, external_account_number: "1002", state: staged }
  - { import_supplier: ACME, external_account_number: "1003", state: in_progress }
  - { import_supplier: ACME, external_account_number: "1004", state: failed }
  - { import_supplier: ACME, external_account_number: "1005", state: imported }
  - { import_supplier: ACME, external_account_number: "A/1 ü%", state: imported }
  - { import_supplier: BETA, external_account_number: "2001", state: imported }
  - { import_supplier: PAUSED, external_account_number: "3001", state: imported }
  - { import_supplier: DONE, external_account_number: "4001", state: imported }
vendors:
  - code: STRIPE
    instructions:
      - { reference: pi_1, type: CARD }
      - { reference: pi_2, type: CARD, fails: intermittent, times: 2 }
      - { reference: pi_3, type: CARD, fails: persistent }
product_codes: [FLEX-12]
`;
