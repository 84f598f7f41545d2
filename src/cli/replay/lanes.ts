/**
 * Does something for every item, at most `limit` at the same time, and reports each result in the order of the items.
 * When one fails the others are still finished and reported. Then the first failure is thrown.
 */
export async function inLanes<T, R>(
  items: readonly T[],
  limit: number,
  act: { start: (item: T) => Promise<R>; ended: (result: R) => void },
): Promise<readonly R[]> {
  const settled: (PromiseSettledResult<R> | undefined)[] = items.map(() => undefined);
  const queue = items.entries();
  let reported = 0;
  const lane = async (): Promise<void> => {
    for (const [index, item] of queue) {
      [settled[index]] = await Promise.allSettled([act.start(item)]);
      for (let next = settled[reported]; next !== undefined; next = settled[++reported]) {
        if (next.status === 'fulfilled') act.ended(next.value);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
  return settled.map((result) => {
    if (result!.status === 'rejected') throw result!.reason;
    return result!.value;
  });
}
