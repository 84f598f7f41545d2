import {
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type YAMLParseError,
} from 'yaml';
import type { Path } from '../core/problem.ts';
import { readUtf8File } from './utf8-file.ts';

/** Where in a file something stands; one-based, as editors count. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A file whose YAML can be read. */
export interface YamlFile {
  readonly file: string;
  readonly value: unknown;
  /** Where a value stands, or the nearest one around it; with `key`, where that key of it stands. */
  placeOf(path: Path, key?: string): FilePlace;
}

/** A thing that makes YAML unreadable. */
export interface YamlMistake {
  readonly place: FilePlace;
  /** Never the text of a value: it may be a key, or be about a person. */
  readonly reason: string;
}

/** A file as it is written, or all that makes its YAML unreadable. */
export type YamlReading =
  | { readonly yaml: YamlFile; readonly mistakes?: undefined }
  | { readonly yaml?: undefined; readonly mistakes: readonly YamlMistake[] };

/**
 * Reads a file of YAML, or of JSON, which is YAML, too. An empty one is null.
 * @throws AppError `file_not_readable`, `file_not_utf8`
 */
export function readYamlFile(file: string): YamlReading {
  const lines = new LineCounter();
  const document = parseDocument(readUtf8File(file), {
    lineCounter: lines,
    prettyErrors: false,
    // A warning would be printed by Node, and quotes what was written.
    logLevel: 'error',
  });
  const placeAt = (offset: number): FilePlace => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const unreadable = (mistakes: readonly [offset: number, reason: string][]): YamlReading => ({
    mistakes: mistakes.map(([offset, reason]) => ({ place: placeAt(offset), reason })),
  });

  // What comes after the first slip is mostly about the slip.
  const [first, ...rest] = document.errors;
  if (first) {
    const told = [first, ...rest.filter(({ code }) => code === 'DUPLICATE_KEY')];
    return unreadable(told.map((error) => [error.pos[0], reasonOf(error)]));
  }
  const strangers = aliasesOfNothing(document);
  if (strangers.length > 0) {
    return unreadable(
      strangers.map((offset) => [offset, 'this alias (`*…`) has no anchor (`&…`) before it']),
    );
  }
  try {
    const value: unknown = document.toJS();
    return { yaml: { file, value, placeOf: (...at) => placeAt(offsetOf(document, ...at)) } };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return unreadable([[0, 'its aliases (`*…`) repeat too much: write out what they stand for']]);
  }
}

const WORDS: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_DIRECTIVE: 'there is no such directive (`%…`)',
  TAG_RESOLVE_FAILED: 'there is no such tag (`!…`), or it does not go with this value',
  BAD_DQ_ESCAPE: 'there is no such escape in a text between double quotes',
  MULTIPLE_DOCS:
    'the file is to be one document: remove what begins with this `---`, or give it a file of its own',
};

/** The words of the parser without what they quote from the file, which may be a secret. */
function reasonOf({ code, message }: YAMLParseError): string {
  return WORDS[code] ?? message.replace(/\b: .*$/su, '');
}

function aliasesOfNothing(document: Document.Parsed): readonly number[] {
  const offsets: number[] = [];
  visit(document, {
    Alias: (_, alias) => {
      if (!alias.resolve(document)) offsets.push(alias.range?.[0] ?? 0);
    },
  });
  return offsets;
}

/** Of a value, of what stands nearest around it, or of a key of the object that stands there. */
function offsetOf(document: Document.Parsed, path: Path, key?: string): number {
  const node = nodeAt(document, path);
  const pair = isMap(node)
    ? node.items.find((each) => isScalar(each.key) && String(each.key.value) === key)
    : undefined;
  return ((pair?.key as Node | undefined) ?? node)?.range?.[0] ?? 0;
}

function nodeAt(document: Document.Parsed, path: Path): Node | undefined {
  const node: unknown = document.getIn(path, true);
  if (isNode(node)) return node;
  return path.length === 0 ? undefined : nodeAt(document, path.slice(0, -1));
}
