import { expect, test } from 'vitest';
import { everyAccount, WaitingAccounts } from '../../../../src/cli/push/send/account-queue.ts';

const never = new AbortController().signal;

const ONE = { count: 1, onIdle: () => undefined };

test('the accounts of a run come once each, in their order', async () => {
  const open = [2, 5];
  const queue = everyAccount({ nextAccount: (after) => open.find((account) => account > after) });
  expect([await queue.next(never), await queue.next(never), await queue.next(never)]).toEqual([
    2,
    5,
    undefined,
  ]);
});

test('workers wait until an account is ready, and the worker that waits longest gets it', async () => {
  const queue = new WaitingAccounts(ONE);
  queue.add(7);
  expect(await queue.next(never)).toBe(7);
  const [first, second] = [queue.next(never), queue.next(never)];
  queue.add(8);
  expect(await first).toBe(8);
  queue.add(9);
  expect(await second).toBe(9);
});

test('after the last account was added, those that are ready come, and then none', async () => {
  const queue = new WaitingAccounts(ONE);
  queue.add(1);
  queue.add(2);
  queue.close();
  expect([await queue.next(never), await queue.next(never), await queue.next(never)]).toEqual([
    1,
    2,
    undefined,
  ]);
});

test('closing ends the workers that wait', async () => {
  const queue = new WaitingAccounts(ONE);
  const waiting = [queue.next(never), queue.next(never)];
  queue.close();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
});

test('a stop ends the workers that wait, and accounts that are ready stay unsent', async () => {
  const queue = new WaitingAccounts(ONE);
  const stopping = new AbortController();
  const waiting = queue.next(stopping.signal);
  stopping.abort();
  expect(await waiting).toBeUndefined();
  queue.add(3);
  expect(await queue.next(stopping.signal)).toBeUndefined();
});

test('a failure reaches the workers that wait and those that ask later, also when accounts are ready', async () => {
  const queue = new WaitingAccounts(ONE);
  const waiting = queue.next(never);
  const error = new Error('refused');
  queue.fail(error);
  await expect(waiting).rejects.toBe(error);
  queue.add(4);
  await expect(queue.next(never)).rejects.toBe(error);
});

test('the first end of the questions counts', async () => {
  const queue = new WaitingAccounts(ONE);
  queue.close();
  queue.fail(new Error('too late'));
  expect(await queue.next(never)).toBeUndefined();
});

test('it is told when all workers wait, and when one of them no longer does', async () => {
  const told: boolean[] = [];
  const queue = new WaitingAccounts({ count: 2, onIdle: (isIdle) => void told.push(isIdle) });
  const first = queue.next(never);
  expect(told).toEqual([]);
  const second = queue.next(never);
  expect(told).toEqual([true]);
  queue.add(1);
  queue.add(2);
  expect([await first, await second, told]).toEqual([1, 2, [true, false]]);
});
