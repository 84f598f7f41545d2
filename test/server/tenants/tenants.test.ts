import { expect, test } from 'vitest';
import type { Tenant } from '../../../src/server/tenants/tenant.ts';
import { tenantPerKey } from '../../../src/server/tenants/tenants.ts';

/** The closable part of a tenant. A failing one throws its name. */
function closable(name: string, closed: string[], fails: boolean): Tenant {
  const close = () => {
    if (fails) throw new Error(name);
    closed.push(name);
  };
  return { close } as unknown as Tenant;
}

test('a tenant that fails to close leaves no other tenant open, and its error is reported', () => {
  const closed: string[] = [];
  const [root, base] = ['root', 'base'].map((name) => closable(name, closed, false)) as [Tenant, Tenant];
  const tenants = tenantPerKey({ root, base }, (key) => closable(key, closed, key.startsWith('full')));
  for (const key of ['a', 'full-1', 'b', 'full-2']) tenants.ofKey(key);
  expect(() => tenants.close()).toThrow('full-1');
  expect(closed).toEqual(['a', 'b', 'root', 'base']);
});
