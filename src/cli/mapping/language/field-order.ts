/** Names in an order in which each comes after those that it needs, and those that need each other in a circle. */
type FieldOrder = { readonly order: readonly string[]; readonly circle: readonly string[] };

/** Sorts names by their needs. A need that is none of the names counts as met. */
export function orderByNeeds(
  names: readonly string[],
  needsOf: (name: string) => readonly string[],
): FieldOrder {
  const order: string[] = [];
  const waiting = new Set(names);
  for (let found = true; found;) {
    found = false;
    for (const name of waiting) {
      if (needsOf(name).some((need) => waiting.has(need))) continue;
      waiting.delete(name);
      order.push(name);
      found = true;
    }
  }
  return { order, circle: [...waiting] };
}
