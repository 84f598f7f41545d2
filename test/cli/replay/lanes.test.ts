import { expect, test } from 'vitest';
import { inLanes } from '../../../src/cli/replay/lanes.ts';

/** Work that the test ends. */
function workshop() {
  const started: string[] = [];
  const reported: string[] = [];
  const doors = new Map<string, PromiseWithResolvers<string>>();
  const start = (item: string): Promise<string> => {
    started.push(item);
    const door = Promise.withResolvers<string>();
    doors.set(item, door);
    return door.promise;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    started,
    reported,
    act: { start, ended: (result: string) => void reported.push(result) },
    async finish(item: string) {
      doors.get(item)!.resolve(item.toUpperCase());
      await settled();
    },
    async fail(item: string) {
      doors.get(item)!.reject(new Error(item));
      await settled();
    },
  };
}

test('no more items run at the same time than there are lanes', async () => {
  const work = workshop();
  const all = inLanes(['a', 'b', 'c'], 2, work.act);
  expect(work.started).toEqual(['a', 'b']);
  await work.finish('b');
  expect(work.started).toEqual(['a', 'b', 'c']);
  await work.finish('a');
  await work.finish('c');
  expect(await all).toEqual(['A', 'B', 'C']);
});

test('results are reported in the order of the items, whichever ends first', async () => {
  const work = workshop();
  const all = inLanes(['a', 'b', 'c'], 3, work.act);
  await work.finish('c');
  await work.finish('b');
  expect(work.reported).toEqual([]);
  await work.finish('a');
  expect(work.reported).toEqual(['A', 'B', 'C']);
  await all;
});

test('a failure does not stop the others, and the first in order is thrown at the end', async () => {
  const work = workshop();
  const all = inLanes(['a', 'b', 'c'], 1, work.act);
  const ended = expect(all).rejects.toThrow('a');
  await work.fail('a');
  await work.fail('b');
  await work.finish('c');
  await ended;
  expect(work.reported).toEqual(['C']);
});

test('nothing is started for no items', async () => {
  expect(await inLanes([], 4, workshop().act)).toEqual([]);
});
