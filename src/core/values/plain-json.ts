/**
 * A JSON text whose numbers do not matter, or undefined when it is none. Money is read with `parseExactJson`: here a
 * number becomes a float.
 */
export function plainJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
