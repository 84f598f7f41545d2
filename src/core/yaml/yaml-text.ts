import { LineCounter } from 'yaml';
import type { Path } from '../problem.ts';
import { nodeAt, offsetAt } from './node-places.ts';
import { readDocument, type YamlSchema } from './yaml-document.ts';

/** One-based, as editors count. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A text of YAML in which every value can be found again. */
export interface YamlText {
  readonly value: unknown;
  /** Where a value stands, or the key of it; what is not there has the place of the nearest value around it. */
  placeOf(path: Path, what?: 'key' | 'value'): TextPlace;
  /** Whether there is a value at the path. */
  has(path: Path): boolean;
}

/** A thing that makes YAML unreadable. */
interface YamlMistake extends TextPlace {
  /** Never the text of a value: it may be a key, or be about a person. */
  readonly reason: string;
}

/** A text as it is written, or what makes its YAML unreadable. */
type YamlReading =
  | { readonly yaml: YamlText; readonly mistakes?: undefined }
  | { readonly yaml?: undefined; readonly mistakes: readonly [YamlMistake, ...YamlMistake[]] };

/** Reads YAML 1.2, or JSON, which is YAML, too. An empty text is null. */
export function readYaml(text: string, schema: YamlSchema): YamlReading {
  const lines = new LineCounter();
  const placeAt = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const reading = readDocument(text, schema, lines);
  if (reading.slips) {
    const [first, ...rest] = reading.slips.map(({ offset, reason }) => ({ ...placeAt(offset), reason }));
    return { mistakes: [first!, ...rest] };
  }
  const { document, value } = reading;
  return {
    yaml: {
      value,
      placeOf: (path, what = 'value') => placeAt(offsetAt(document, path, what)),
      has: (path) => nodeAt(document, path).depth === path.length,
    },
  };
}
