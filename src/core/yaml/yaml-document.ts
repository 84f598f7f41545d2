import { Composer, Parser, type Document, type LineCounter } from 'yaml';
import { wrongNodes } from './node-checks.ts';
import { slipOf, type Slip } from './slip.ts';
import { tooDeep } from './token-depth.ts';

/** `failsafe`: every scalar is the text that it is written as; `core`: numbers, booleans and null are such. */
export type YamlSchema = 'core' | 'failsafe';

/** A text of one document and its value, or what is wrong with it. */
type DocumentReading =
  | { readonly document: Document.Parsed; readonly value: unknown; readonly slips?: undefined }
  | { readonly document?: undefined; readonly slips: readonly [Slip, ...Slip[]] };

/**
 * How often what has an anchor may stand in a text, also by aliases inside of aliases. A mapping with an alias for every
 * column has hundreds; what is made to grow without end has millions in ten lines.
 */
const MOST_TIMES = 1000;

const SECOND_DOCUMENT =
  'the file is to be one document: remove what begins with this `---`, or give it a file of its own';
const TOO_MANY_ALIASES = 'its aliases (`*…`) repeat too much: write out what they stand for';

/** Reads a text; `lines` learns where its lines begin. */
export function readDocument(text: string, schema: YamlSchema, lines: LineCounter): DocumentReading {
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = tooDeep(tokens);
  if (deep) return { slips: [deep] };

  // A tag of YAML 1.1 would make sets, bytes and dates, which no reader expects.
  const composer = new Composer({ schema, resolveKnownTags: false, prettyErrors: false });
  const [first, second] = composer.compose(tokens, true, text.length);
  // An empty text has a document, too: `true` asks for it.
  const document = first!;
  const [error, ...errors] = document.errors;
  if (error) {
    // What comes after the first slip is mostly about the slip.
    const repeatedKeys = errors.filter(({ code }) => code === 'DUPLICATE_KEY');
    return { slips: [slipOf(error), ...repeatedKeys.map(slipOf)] };
  }
  if (second) return { slips: [{ offset: second.range[0], reason: SECOND_DOCUMENT }] };
  const { wrong, lastAlias } = wrongNodes(document);
  const [slip, ...slips] = wrong;
  if (slip) return { slips: [slip, ...slips] };
  try {
    return { document, value: document.toJS({ maxAliasCount: MOST_TIMES }) };
  } catch (thrown) {
    if (!(thrown instanceof ReferenceError)) throw thrown;
    // Which one it is the parser does not say; of those that grow it is the last.
    return { slips: [{ offset: lastAlias, reason: TOO_MANY_ALIASES }] };
  }
}
