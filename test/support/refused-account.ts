/** A platform that accepts the rows of account 1001 and refuses the rows of 1003, which is only staged. */
export const SEED = `
version: 1
api_keys: [{key: local-key, suppliers: [ACME]}]
suppliers: [{code: ACME, name: Acme Energy, status: Ongoing}]
vendors: [{code: STRIPE, instructions: [{reference: pi_1, type: CARD}, {reference: pi_2, type: CARD}]}]
accounts:
  - {import_supplier: ACME, external_account_number: "1001", state: imported}
  - {import_supplier: ACME, external_account_number: "1003", state: staged}
`;

/** The same platform with both accounts imported. */
export const IMPORTED = SEED.replace('state: staged', 'state: imported');

/** Header of transactions, an accepted row and a refused row. */
export const HEADER = 'import_supplier,external_account_number,transaction_id,transaction_date,type,amount';
export const GOOD = 'ACME,1001,t-1,2026-02-01,CREDIT,10.10';
export const REFUSED = 'ACME,1003,t-9,2026-02-02,CREDIT,1.00';
