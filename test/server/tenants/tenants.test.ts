import { describe, expect, test } from 'vitest';
import { keyIdOf } from '../../../src/server/auth/tokens.ts';
import type { Tenant } from '../../../src/server/tenants/tenant.ts';
import { tenantPerKey } from '../../../src/server/tenants/tenants.ts';

/** The closable part of a tenant. A failing one throws its name. */
function closable(name: string, closed: string[], fails: boolean): Tenant {
  const close = () => {
    if (fails) throw new Error(name);
    closed.push(name);
  };
  return { close, hasDatabase: () => true, sleep: () => false } as unknown as Tenant;
}

const always = { accepts: () => true, nowMs: () => 0 };

test('a tenant that fails to close leaves no other tenant open, and its error is reported', () => {
  const closed: string[] = [];
  const [root, base] = ['root', 'base'].map((name) => closable(name, closed, false)) as [Tenant, Tenant];
  const tenants = tenantPerKey({ root, base, ...always }, ({ key }) =>
    closable(key, closed, key.startsWith('full')),
  );
  for (const key of ['a', 'full-1', 'b', 'full-2']) tenants.ofKey(key);
  expect(() => tenants.close()).toThrow('full-1');
  expect(closed).toEqual(['a', 'b', 'root', 'base']);
});

/** Tenants whose databases exist in name only. `asleep` has those that were closed to make room, `gone` those that were forgotten. */
function tenantsOf({ most, canSleep = () => true }: { most: number; canSleep?: (key: string) => boolean }) {
  const [asleep, gone]: string[][] = [[], []];
  const closable = { close: () => undefined } as unknown as Tenant;
  const tenants = tenantPerKey({ root: closable, base: closable, ...always, most }, ({ key, makeRoom }) => {
    let [isOpen, exists] = [false, false];
    return {
      open: () => {
        if (!isOpen) makeRoom();
        [isOpen, exists] = [true, true];
      },
      isOpen: () => isOpen,
      hasDatabase: () => exists,
      sleep: (unusedSinceMs = Infinity) => {
        if (!isOpen || unusedSinceMs < 0 || !canSleep(key)) return false;
        asleep!.push(key);
        isOpen = false;
        return true;
      },
      close: () => void gone!.push(key),
      requests: { counts: () => ({ requests: 1, refused: 0 }) },
      created: () => 0,
      faults: { hits: () => 0 },
    } as unknown as Tenant;
  });
  return { tenants, asleep: asleep!, gone: gone! };
}

describe('when most databases are open', () => {
  test('the one that has not been used for longest is closed for another', () => {
    const { tenants, asleep } = tenantsOf({ most: 3 });
    for (const key of ['a', 'b', 'c']) tenants.ofKey(key).open();
    tenants.ofKey('a');
    tenants.ofKey('d').open();
    expect(asleep).toEqual(['b']);
    tenants.ofKey('b').open();
    expect(asleep).toEqual(['b', 'c']);
  });

  test('a further one is refused only if none can be closed', () => {
    const { tenants, asleep } = tenantsOf({ most: 2, canSleep: (key) => key !== 'a' });
    for (const key of ['a', 'b', 'c']) tenants.ofKey(key).open();
    expect(asleep).toEqual(['b']);
    const inMemory = tenantsOf({ most: 2, canSleep: () => false }).tenants;
    for (const key of ['a', 'b']) inMemory.ofKey(key).open();
    const refused = () => inMemory.ofKey('c').open();
    const answer = { status: 400, body: expect.objectContaining({ code: 'tenants_exhausted' }) };
    expect(refused).toThrow(expect.objectContaining({ answer: expect.objectContaining(answer) }));
    expect(() => inMemory.ofKey('a').open()).not.toThrow();
  });
});

test('of the tenants without a database only the last ones are kept', () => {
  const { tenants, gone } = tenantsOf({ most: 2 });
  tenants.ofKey('written').open();
  for (const key of ['a', 'b', 'c', 'd']) tenants.ofKey(key);
  expect(gone).toEqual(['a', 'b']);
  expect(tenants.ofKeyId(keyIdOf('a'))).toBeUndefined();
  expect(tenants.ofKeyId(keyIdOf('written'))).toBeDefined();
});
