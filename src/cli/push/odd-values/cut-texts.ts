import { warning } from '../../../core/problem.ts';
import { total } from '../../../core/values/counts.ts';
import type { SourceLine } from '../ports/staging.ts';
import { shapeOf } from './identifier-shapes.ts';
import { togetherOf, type Suspicion, type Tally } from './tally.ts';

/** Shorter texts are not cut, and fewer long ones prove nothing. */
const LEAST_LENGTH = 20;
const LEAST = 5;

/** Lengths up to the longest: a character of UTF-8 has up to four bytes, and a word before an ellipsis about 20 letters. */
const AT_LIMIT = 4;
const LAST_WORD = 20;

/** How many times more often texts have the longest length than a length below it. */
const BEYOND_CHANCE = 5;

/** The share of the longest texts that end in an ellipsis. */
const NEARLY_ALL = 0.8;

/** Characters at the end by which texts are told apart, and the texts of a length of which that is known. */
const SHAPED = 60;
const MOST_SHAPED = 20;

/** Different lengths that are counted, so that memory stays bounded. */
const MOST_LENGTHS = 5_000;

/** The texts of one length. Texts that a program makes have the same shape, and cut ones differ. */
type LengthTally = Tally & { dotted: number; readonly shapes: Set<string> };

/** The texts of one field by their lengths, in characters and in bytes. */
export class CutTexts {
  private readonly measures = [
    { unit: 'characters', lengths: new Map<number, LengthTally>() },
    { unit: 'bytes', lengths: new Map<number, LengthTally>() },
  ];

  see(text: string, first: SourceLine): void {
    if (text.length < LEAST_LENGTH) return;
    const bytes = Buffer.byteLength(text);
    const dotted = text.endsWith('…') || text.endsWith('...') ? 1 : 0;
    for (const { unit, lengths } of this.measures) {
      const length = unit === 'bytes' ? bytes : text.length;
      let tally = lengths.get(length);
      if (!tally) {
        if (lengths.size >= MOST_LENGTHS) continue;
        lengths.set(length, (tally = { count: 0, first, dotted: 0, shapes: new Set() }));
      }
      tally.count++;
      tally.dotted += dotted;
      if (tally.count <= MOST_SHAPED && tally.shapes.size < LEAST)
        tally.shapes.add(shapeOf(text.slice(-SHAPED)));
    }
  }

  *found(name: string): Generator<Suspicion> {
    for (const { unit, lengths } of this.measures) {
      const longest = Math.max(...lengths.keys());
      if (lengths.size === 0) return;
      const within = (least: number, most: number): readonly LengthTally[] =>
        [...lengths].flatMap(([length, tally]) =>
          longest - length >= least && longest - length < most ? [tally] : [],
        );
      const [atLimit, ends] = [within(0, AT_LIMIT), within(0, LAST_WORD)];
      const last = togetherOf(atLimit);
      const below = total(within(AT_LIMIT, AT_LIMIT * (1 + BEYOND_CHANCE)), ({ count }) => count);
      const shapes = new Set(atLimit.flatMap((tally) => [...tally.shapes]));
      const dotted = total(ends, (tally) => tally.dotted);
      const isCut = shapes.size >= LEAST && last.count > below;
      if (!isCut && (dotted < LEAST || dotted < total(ends, ({ count }) => count) * NEARLY_ALL)) continue;
      const how = isCut
        ? `${last.count} have ${longest} ${unit} or just less`
        : `${dotted} of the longest end in …`;
      const what = `was cut, as texts are at the end of a column: ${how}, and none has more`;
      const todo =
        'Export the file again with the whole texts; nothing to do when nothing is missing at their ends.';
      return yield [warning('text_damaged', [name], { what, todo }), last.first];
    }
  }
}
