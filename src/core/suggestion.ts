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

/**
 * The known name that has most words of a mistyped one; undefined when no word that tells the names apart is in it. Plurals, the
 * case and the signs between words do not matter, and a word may be misspelt.
 */
export function nearestByWords(mistyped: string, known: readonly string[]): string | undefined {
  if (mistyped.length > LONGEST) return undefined;
  const words = known.map(wordsOf);
  const isCommon = (word: string): boolean =>
    words.filter((own) => own.includes(word)).length > Math.max(1, known.length / 3);
  const given = wordsOf(mistyped).filter((word) => !isCommon(word));
  const scores = words.map((own) => {
    const telling = own.filter((word) => !isCommon(word));
    return given.reduce(
      (sum, word) => sum + (telling.includes(word) ? 2 : nearestName(word, telling) ? 1 : 0),
      0,
    );
  });
  const best = Math.max(...scores);
  const alike = best > 0 ? known.filter((_, index) => scores[index] === best) : [];
  const edits = (name: string): number => editsBetween(mistyped.toLowerCase(), name.toLowerCase());
  return alike.toSorted((a, b) => edits(a) - edits(b))[0];
}

/** A longer name is no mistyped one, and comparing it takes time. */
const LONGEST = 128;

/** Shorter words, such as `is` and `to`, tell nothing. */
const SHORTEST_WORD = 3;

function wordsOf(name: string): readonly string[] {
  const words = name
    .split(/[^A-Za-z\d]+|(?<=[a-z])(?=[A-Z])/)
    .filter(({ length }) => length >= SHORTEST_WORD);
  return [...new Set(words.map((word) => word.toLowerCase().replace(/(?<=..)s$/, '')))];
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
