import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Document,
  type Node,
  Composer,
  Parser,
  visit,
  type CST,
  type YAMLParseError,
} from 'yaml';
import type { Path } from '../problem.ts';

/** `failsafe`: every scalar is the text that it is written as. `core`: numbers, booleans and null are parsed. */
type YamlSchema = 'core' | 'failsafe';

/** Something that makes a text unreadable, and its offset in the text. */
type OffsetProblem = Readonly<{ offset: number; reason: string }>;

/** How many levels of lists and objects a document may have. Our own files need ten. */
const MOST_LEVELS = 100;

/**
 * How often the aliases of a document may repeat an anchored value, nested aliases included. A mapping with an alias for
 * every column has hundreds; a document that is made to grow without end has millions in ten lines.
 */
const MOST_REPEATS = 1000;

const TOO_DEEP = `lists and objects are nested ${MOST_LEVELS} deep here, and no document may go deeper`;
const SECOND_DOCUMENT =
  'the file has to be one document: remove the part that begins with this `---`, or move it to a file of its own';
const TOO_MANY_ALIASES = 'its aliases (`*…`) repeat too much: write out their values';
const ALIAS_OF_NOTHING = 'this alias (`*…`) has no anchor (`&…`) before it';
const ALIAS_OF_ITS_OUTSIDE = 'this alias (`*…`) is inside of the value that it repeats';

const WORDS: Partial<Record<YAMLParseError['code'], string>> = {
  BAD_DIRECTIVE: 'there is no such directive (`%…`)',
  TAG_RESOLVE_FAILED: 'there is no such tag (`!…`), or it does not fit this value',
  BAD_DQ_ESCAPE: 'there is no such escape in a text between double quotes',
  NON_STRING_KEY: 'a key has to be a text, not a list, an object or an alias (`*…`)',
};

const REPEATED_KEY = 'this key occurs above already, in the same object: keep one of the two';

/** The keys that occur a second time in their object. */
function repeatedIn(items: readonly { key: unknown }[]): readonly OffsetProblem[] {
  const keys = new Set<unknown>();
  return items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const isNew = keys.size < keys.add(key.value).size;
    return isNew ? [] : [{ offset: offsetOf(key as Node), reason: REPEATED_KEY }];
  });
}

/** An error of the parser without its quotes from the text: a quote may be a key, or be about a person. */
function problemOf({ code, message, pos }: YAMLParseError): OffsetProblem {
  return { offset: pos[0], reason: WORDS[code] ?? message.replace(/\b: .*$/su, '') };
}

/**
 * The first list or object that is nested too deep. Searched in tokens, because making values takes one call for each
 * level: at a thousand levels the parser gives up, and at some thousands Node does.
 */
function firstTooDeep(tokens: readonly CST.Token[]): OffsetProblem | undefined {
  const open: (readonly [token: CST.Token | null | undefined, level: number])[] = tokens.map((token) => [
    token.type === 'document' ? token.value : undefined,
    1,
  ]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [token, level] = next;
    if (!token || !('items' in token)) continue;
    if (level > MOST_LEVELS) return { offset: token.offset, reason: TOO_DEEP };
    for (const { key, value } of token.items.toReversed()) open.push([value, level + 1], [key, level + 1]);
  }
  return undefined;
}

/** Nodes that the parser accepts and no reader can use, in the order of the text; and the offset of the last alias. */
function wrongNodes(
  document: Document.Parsed,
): Readonly<{ wrong: readonly OffsetProblem[]; lastAlias: number }> {
  const wrong: OffsetProblem[] = [];
  let lastAlias = 0;
  const anchored = new Map<string, Node>();
  visit(document, {
    Node: (_, node, path) => {
      if (isMap(node)) wrong.push(...repeatedIn(node.items));
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return;
      }
      lastAlias = offsetOf(node);
      const meant = anchored.get(node.source);
      if (!meant) wrong.push({ offset: lastAlias, reason: ALIAS_OF_NOTHING });
      else if (path.includes(meant)) wrong.push({ offset: lastAlias, reason: ALIAS_OF_ITS_OUTSIDE });
    },
  });
  return { wrong, lastAlias };
}

const offsetOf = (node: Node): number => node.range?.[0] ?? 0;

/** A position in a text document; line and column are one-based, as in editors. */
export interface TextPosition {
  /** Name of the document, as it was typed. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something wrong in a document that a person wrote: a mapping, seed, configuration or expectation. */
export interface DocumentProblem extends TextPosition {
  /** Never the text of a value: it may be a key, or be about a person. */
  readonly reason: string;
}

/** A YAML document in which every value can be found again. */
export interface YamlText {
  readonly file: string;
  readonly value: unknown;
  /** Where a value, or its key, is in the text. The nearest value around it when there is none at the path. */
  positionOf(path: Path, what?: 'key' | 'value'): TextPosition;
  has(path: Path): boolean;
}

/** The document, or the problems that make it unreadable. */
export type ParsedYaml =
  | { readonly yaml: YamlText; readonly problems?: undefined }
  | { readonly yaml?: undefined; readonly problems: readonly [DocumentProblem, ...DocumentProblem[]] };

/** Parses YAML 1.2, or JSON, which is a part of YAML. An empty text is null. */
export function readYaml({
  file,
  text,
  schema,
}: {
  file: string;
  text: string;
  schema: YamlSchema;
}): ParsedYaml {
  const lines = new LineCounter();
  const positionAt = (offset: number): TextPosition => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const unreadable = (...found: readonly OffsetProblem[]): ParsedYaml => {
    const [first, ...rest] = found.map(({ offset, reason }) => ({ ...positionAt(offset), reason }));
    return { problems: [first!, ...rest] };
  };
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const tooDeep = firstTooDeep(tokens);
  if (tooDeep) return unreadable(tooDeep);

  const composer = new Composer({
    schema,
    // Documents of operators share their parts by `<<`.
    merge: schema === 'core',
    // Known tags of YAML 1.1 would make sets, bytes and dates, which no reader expects.
    resolveKnownTags: false,
    prettyErrors: false,
    stringKeys: true,
    // The parser compares each key with every key before it, which takes minutes for ten thousand of them.
    uniqueKeys: false,
  });
  // `true` makes a document of an empty text, too.
  const [first, second] = composer.compose(tokens, true, text.length);
  const document = first!;
  const [error] = document.errors;
  // Later errors mostly follow from the first one.
  if (error) return unreadable(problemOf(error));
  if (second) return unreadable({ offset: second.range[0], reason: SECOND_DOCUMENT });
  const { wrong, lastAlias } = wrongNodes(document);
  if (wrong.length > 0) return unreadable(...wrong);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MOST_REPEATS });
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown;
    // The parser does not say which alias is too much. In a document that grows without end it is the last.
    return unreadable({ offset: lastAlias, reason: TOO_MANY_ALIASES });
  }
  return {
    yaml: {
      file,
      value,
      positionOf: (path, what = 'value') => {
        const { node, key } = nodeAt(document, path);
        const found = what === 'key' ? (key ?? node) : (node ?? key);
        return positionAt(found?.range?.[0] ?? 0);
      },
      has: (path) => nodeAt(document, path).depth === path.length,
    },
  };
}

interface FoundNode {
  readonly node: Node | null;
  readonly key: Node | null;
  /** How many parts of the path lead to it. */
  readonly depth: number;
}

/** The node at a path, or the nearest one around it. Behind an alias it is the node that has the anchor. */
function nodeAt(document: Document, path: Path): FoundNode {
  let found: FoundNode = { node: document.contents, key: null, depth: 0 };
  for (const part of path) {
    const { node } = found;
    const inner = child(isAlias(node) ? (node.resolve(document) ?? null) : node, part);
    if (!inner) return found;
    found = { ...inner, depth: found.depth + 1 };
  }
  return found;
}

function child(node: Node | null, part: string | number): Omit<FoundNode, 'depth'> | undefined {
  if (isSeq(node) && typeof part === 'number') {
    const item = node.items[part] as Node | undefined;
    return item === undefined ? undefined : { node: item, key: null };
  }
  // A single value where the schema accepts a list, too.
  if (part === 0) return { node, key: null };
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
  return pair && { node: pair.value as Node | null, key: pair.key as Node };
}
