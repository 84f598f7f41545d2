import { request } from 'undici';

/** One line of a ledger. */
export interface LedgerLine {
  readonly seq: number;
  readonly kind: string;
  readonly import_supplier: string;
  readonly external_account_number: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** All records of a local platform. */
export async function ledgerOf(url: string): Promise<readonly LedgerLine[]> {
  // `fetch` takes four times the time.
  const text = await (await request(`${url}/_local/ledger`)).body.text();
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LedgerLine);
}

/**
 * The part of a ledger that no disturbance of a migration may change: the records of each account and kind, in their
 * order. Times that the platform's own clock gave are left out.
 */
export function contentOf(
  ledger: readonly LedgerLine[],
  given: ReadonlySet<string>,
): Readonly<Record<string, readonly string[]>> {
  const accounts: Record<string, string[]> = {};
  for (const { kind, external_account_number, data } of ledger) {
    const { created_at, ...rest } = data;
    const shown = typeof created_at === 'string' && given.has(created_at) ? data : rest;
    (accounts[`${external_account_number} ${kind}`] ??= []).push(JSON.stringify(shown));
  }
  return accounts;
}
