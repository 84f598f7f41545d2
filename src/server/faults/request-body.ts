import type { AccountKey } from '../../core/contract/account.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../core/contract/resources.ts';
import { parseExactJson } from '../../core/values/exact-json.ts';
import { plainJson } from '../../core/values/plain-json.ts';
import { indexOf } from './results.ts';
import type { FaultEndpoint } from './rule.ts';

/** The account that a body is about, as far as it says. */
export function accountIn(body: Uint8Array): Partial<AccountKey> {
  const json = plainJson(Buffer.from(body).toString());
  if (typeof json !== 'object' || json === null) return {};
  const { import_supplier, external_account_number } = json as Partial<Record<keyof AccountKey, unknown>>;
  return {
    ...(typeof import_supplier === 'string' && { import_supplier }),
    ...(typeof external_account_number === 'string' && { external_account_number }),
  };
}

/** The body with the first records only. One that carries a single record stays as it is. */
export function withFirst(body: Uint8Array, endpoint: FaultEndpoint, records: number): Uint8Array {
  return withList(body, endpoint, (list) => list.slice(0, records)) ?? body;
}

/** The body without one record, counted from 1 (null: the last); undefined when none is left. */
export function without(
  body: Uint8Array,
  endpoint: FaultEndpoint,
  position: number | null,
): Uint8Array | undefined {
  const cut = (list: readonly unknown[]) => list.toSpliced(indexOf(position, list.length), 1);
  return withList(body, endpoint, cut);
}

/** Undefined when the endpoint takes no list, or the list is empty afterwards. */
function withList(
  body: Uint8Array,
  endpoint: FaultEndpoint,
  change: (list: readonly unknown[]) => readonly unknown[],
): Uint8Array | undefined {
  const name = isResource(endpoint) ? DESCRIPTORS[endpoint].list : null;
  if (name === null) return undefined;
  // Exact: what is stored has to have the digits that were sent.
  const json = parseExactJson(Buffer.from(body).toString()) as Readonly<Record<string, readonly unknown[]>>;
  const list = change(json[name]!);
  return list.length === 0 ? undefined : Buffer.from(JSON.stringify({ ...json, [name]: list }));
}

function isResource(endpoint: FaultEndpoint): endpoint is FaultEndpoint & Resource {
  return (RESOURCES as readonly string[]).includes(endpoint);
}
