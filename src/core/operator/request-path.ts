import type { EndpointName } from '../contract/endpoints.ts';

/** What fails on a platform without a request that asks about accounts. A push sends none of them. */
export const FAILS_WITHOUT: Readonly<Partial<Record<EndpointName, string>>> = {
  accountTransferStatus: '`status` fails',
  allAccountImportProcesses: '`accounts` fails, and `migrate` sends nothing',
  pendingAccountImportProcesses: '`accounts --pending` fails',
  importedAccountImportProcesses: '`accounts --imported` fails',
};

/** A path without the names of its segments and without its last slash. */
export const comparablePath = (path: string): string =>
  path.replaceAll(/\{[^}]*\}|:\w+/g, '*').replace(/\/$/, '');

/** How a path begins before the path that requests go to. Undefined where it does not end with that. */
export function pathBefore(path: string, requested: string): string | undefined {
  const [present, wanted] = [comparablePath(path), comparablePath(requested)];
  return present.endsWith(wanted) ? present.slice(0, -wanted.length) : undefined;
}
