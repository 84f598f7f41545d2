import type { Endpoint } from '../../../core/contract/descriptor.ts';
import type { Where } from '../../../core/operator/finding.ts';
import { memberOf, membersOf, pointerOf, type Located } from './document.ts';
import type { Reading } from './reading.ts';
import { usedAt } from './references.ts';
import { METHODS, noteOperation, type ReadOperation } from './unread-parts.ts';

/** A request of the interface, and its path in the document. */
export type PlacedOperation = ReadOperation & { readonly path: string };

/** Finds the request of an endpoint. Undefined when the document has none where requests go; the reason is a finding. */
export function operationAt(endpoint: Endpoint, where: Where, reading: Reading): PlacedOperation | undefined {
  const { path, method } = endpoint;
  const { document, findings } = reading;
  const paths = membersOf(memberOf(document.root, 'paths'));
  const wanted = comparable(path);
  const found =
    paths.find(({ key }) => comparable(key) === wanted) ??
    // The version and what is before it may be a part of the server's address.
    paths.find(({ key }) => wanted.endsWith(comparable(key)) && comparable(key).includes('/data-import/')) ??
    paths.find(({ key }) => comparable(key).endsWith(wanted));
  const item = found && usedAt(found, reading);
  const operation = item && memberOf(item, method.toLowerCase());
  if (!found || !operation) {
    const others = found && membersOf(item!).filter(({ key }) => METHODS.includes(key));
    const moved = paths.find(({ key }) => unversioned(comparable(key)) === unversioned(wanted));
    const instead =
      others && others.length > 0
        ? `, but ${others.map(({ key }) => key.toUpperCase()).join(', ')}`
        : moved
          ? `, but \`${moved.key}\``
          : '';
    const says = `the document has no ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}${instead}`;
    const from = pointerOf((found ?? moved)?.path ?? ['paths']);
    if (method === 'POST') findings.addRefusal('not_understood', where, says, from);
    else findings.add('not_understood', where, says, from);
    return undefined;
  }
  notePath(endpoint, { ...found, holders: [operation, item, document.root] }, where, reading);
  const read = { endpoint, item, operation };
  noteOperation(read, where, reading);
  return { ...read, path: found.key };
}

/** Says how the path of a request differs from the path that requests go to. */
function notePath(
  { path }: Endpoint,
  found: Located & { readonly key: string; readonly holders: readonly Located[] },
  where: Where,
  { findings }: Reading,
): void {
  const [wanted, present] = [comparable(path), comparable(found.key)];
  const prefix = wanted.slice(0, Math.max(wanted.length - present.length, 0));
  const isElsewhere =
    present !== wanted && (prefix === '' || !found.holders.some((holder) => isBelow(prefix, holder)));
  if (!isElsewhere && found.key.endsWith('/')) return;
  const before = present.endsWith(wanted) ? present.slice(0, -wanted.length) : undefined;
  const advice = before ? `: let the base URL end with \`${before}\`` : ', below the base URL';
  const says = `the path is \`${found.key}\`; requests go to \`${path}\`${advice}`;
  findings.add('contradicts', where, says, pointerOf(found.path));
}

/** Whether the address of a server ends with the beginning of a path. */
function isBelow(prefix: string, holder: Located): boolean {
  return membersOf(memberOf(holder, 'servers')).some((server) => {
    const url = memberOf(server, 'url')?.value;
    return typeof url === 'string' && url.replace(/\/$/, '').endsWith(prefix);
  });
}

/** A path without the names of its segments and without its last slash. */
const comparable = (path: string): string => path.replaceAll(/\{[^}]*\}|:\w+/g, '*').replace(/\/$/, '');

/** A path without its version. */
const unversioned = (path: string): string => path.replace(/\/v\d+(?=\/)/, '');
