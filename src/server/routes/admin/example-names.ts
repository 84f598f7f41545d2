import type { LocalServer } from '../../local-server/local-server.ts';

/** Names of the platform in place of those in the examples, which are names of the built-in seed. A name that has no like stays. */
export function exampleNames(server: LocalServer): ReadonlyMap<string, string> {
  const { suppliers, accounts, vendors, productCodes } = server.platform.store;
  const keys = server.apiKeys();
  // The examples use a key for all suppliers, if there is one.
  const of = (keys.find((key) => key.suppliers === null) ?? keys[0])?.suppliers ?? null;
  const codes = suppliers.codes().filter((code) => of === null || of.includes(code));
  const ongoing = codes.filter((code) => suppliers.statusOf(code) === 'Ongoing');
  const [account] = ongoing.flatMap((code) =>
    accounts.page({ import_supplier: code, state: 'imported', search: null, afterId: 0, limit: 1 }),
  );
  const instruction = vendors.example();
  const [product] = productCodes.all();
  const names: Readonly<Record<string, string | undefined>> = {
    ACME: account?.import_supplier ?? codes[0],
    '1001': account?.external_account_number,
    STRIPE: instruction?.vendor,
    pi_1: instruction?.reference,
    CARD: instruction?.type,
    'FLEX-12': product,
  };
  return new Map(Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
