import type { EndpointName } from '../../core/contract/endpoints.ts';

/** What fails on a platform without a request that asks about accounts. A push sends none of them. */
export const FAILS_WITHOUT: Readonly<Partial<Record<EndpointName, string>>> = {
  accountTransferStatus: '`status` fails',
  allAccountImportProcesses: '`accounts` fails, and `migrate` sends nothing',
  pendingAccountImportProcesses: '`accounts --state pending` fails',
  importedAccountImportProcesses: '`accounts --imported` fails',
};

/** A path without the names of its segments and without its last slash. */
export const comparablePath = (path: string): string =>
  path.replaceAll(/\{[^}]*\}|:\w+/g, '*').replace(/\/$/, '');

/** Why every push says a query parameter: a request without it means something else than in the interface, or it is required. */
export function querySays(name: string, byDefault: boolean, own: boolean): string {
  const why = byDefault === own ? 'is required' : `is ${byDefault} by default, and ${own} in the interface`;
  return `the query parameter \`${name}\` ${why}: every push says what it means`;
}
