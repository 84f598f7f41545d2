/** The known name that a mistyped one most likely means; undefined when none is similar. */
export function nearestName(mistyped: string, known: readonly string[]): string | undefined {
  // A third of the longer word may be wrong. With more edits it is another word.
  const isNear = (edits: number, name: string): boolean =>
    edits * 3 <= Math.max(mistyped.length, name.length);
  const nearest = known
    .filter((name) => isNear(Math.abs(mistyped.length - name.length), name))
    .map((name) => ({ name, edits: editsBetween(mistyped.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)[0];
  return nearest && isNear(nearest.edits, nearest.name) ? nearest.name : undefined;
}

/** The end of a sentence about an unknown name: `; did you mean baseUrl?`, or nothing, also for a name that is known elsewhere. */
export function suggestion(mistyped: string, known: readonly string[]): string {
  const name = nearestName(mistyped, known);
  return name === undefined || name === mistyped ? '' : `; did you mean ${name}?`;
}

/** How many characters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let i = 1; i <= a.length; i++) {
    const [row, above, twoAbove] = [[i], rows[i - 1]!, rows[i - 2]];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = twoAbove !== undefined && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, replaced, isSwap ? twoAbove[j - 2]! + 1 : replaced);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
