/** ECMAScript 2026 `JSON.rawJSON`, in Node since 21. TypeScript's library does not declare it yet. */
interface JSON {
  /** A value that `JSON.stringify` writes as `text`, unchanged. Throws a SyntaxError when `text` is not a JSON primitive. */
  rawJSON(text: string): unknown;
}
