import { expect, test } from 'vitest';
import type { World } from '../../../src/server/tenants/tenant.ts';
import { worldPerKey } from '../../../src/server/tenants/tenants.ts';

/** As much of a world as is closed; one that fails says its name. */
function closable(name: string, closed: string[], fails: boolean): World {
  const close = () => {
    if (fails) throw new Error(name);
    closed.push(name);
  };
  return { close } as unknown as World;
}

test('a world that cannot be closed does not keep the others open, and is told', () => {
  const closed: string[] = [];
  const [root, base] = ['root', 'base'].map((name) => closable(name, closed, false)) as [World, World];
  const worlds = worldPerKey({ root, base }, (key) => closable(key, closed, key.startsWith('full')));
  for (const key of ['a', 'full-1', 'b', 'full-2']) worlds.ofKey(key);
  expect(() => worlds.close()).toThrow('full-1');
  expect(closed).toEqual(['a', 'b', 'root', 'base']);
});
