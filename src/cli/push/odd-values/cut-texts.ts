import { warning } from '../../../core/problem.ts';
import type { SourceLine } from '../ports/staging.ts';
import { reportTally, type StagedFile } from '../staged-file.ts';
import { shapeOf } from './identifier-shapes.ts';
import { togetherOf, type Tally } from './tally.ts';

/** Shorter texts are not cut, and fewer long ones prove nothing. */
const LEAST_LENGTH = 20;
const LEAST = 5;

/** Lengths up to the longest that a limit leaves: a character of UTF-8 has up to four bytes, and a space at the end is dropped. */
const AT_LIMIT = 4;

/** Lengths below these that tell how often a length occurs by chance, and how many times more often it does at a limit. */
const BELOW = 20;
const BEYOND_CHANCE = 5;

/** A word at the end of a text that was cut before an ellipsis. */
const LAST_WORD = 20;

/** Characters by which texts are told apart. */
const SHAPED = 100;

/** Different lengths that are counted, so that memory stays bounded. */
const MOST_LENGTHS = 5_000;

/** The texts of one length. */
type LengthTally = Tally & { dotted: number; readonly shapes: Set<string> };

/** The texts of one field by their lengths, in characters and in bytes. */
export class CutTexts {
  private readonly measures = [
    {
      unit: 'characters',
      sizeOf: (text: string): number => text.length,
      lengths: new Map<number, LengthTally>(),
      longest: 0,
    },
    {
      unit: 'bytes',
      sizeOf: (text: string): number => Buffer.byteLength(text),
      lengths: new Map<number, LengthTally>(),
      longest: 0,
    },
  ];

  see(text: string, line: SourceLine): void {
    const isDotted = text.endsWith('…') || text.endsWith('...');
    for (const measure of this.measures) {
      const { sizeOf, lengths } = measure;
      const size = sizeOf(text);
      let tally = lengths.get(size);
      if (!tally) {
        if (lengths.size >= MOST_LENGTHS) continue;
        lengths.set(size, (tally = { count: 0, first: line, dotted: 0, shapes: new Set() }));
      }
      tally.count++;
      if (isDotted) tally.dotted++;
      measure.longest = Math.max(measure.longest, size);
      // Texts that a program makes, such as those of letters, are alike. Cut texts differ.
      if (size > measure.longest - AT_LIMIT && tally.shapes.size < LEAST)
        tally.shapes.add(shapeOf(text.slice(0, SHAPED)));
    }
  }

  report(file: StagedFile, name: string): void {
    for (const { unit, lengths, longest } of this.measures) {
      const within = (from: number, to: number): readonly LengthTally[] =>
        [...lengths].flatMap(([size, tally]) => (size > from && size <= to ? [tally] : []));
      if (longest < LEAST_LENGTH) return;
      const atLimit = within(longest - AT_LIMIT, longest);
      const last = togetherOf(atLimit);
      const shapes = new Set(atLimit.flatMap((tally) => [...tally.shapes]));
      const below = countOf(within(longest - AT_LIMIT - BELOW, longest - AT_LIMIT)) * (AT_LIMIT / BELOW);
      const ends = within(longest - LAST_WORD, longest);
      const dotted = ends.reduce((sum, tally) => sum + tally.dotted, 0);
      const isCut = shapes.size >= LEAST && last.count >= BEYOND_CHANCE * Math.max(1, below);
      const isDotted = dotted >= LEAST && dotted * BEYOND_CHANCE >= countOf(ends) * (BEYOND_CHANCE - 1);
      if (!isCut && !isDotted) continue;
      const how = isCut
        ? `${last.count} have ${longest} ${unit} or just less`
        : `${dotted} of the longest end in …`;
      return reportTally(file, isCut ? last : togetherOf(ends), () =>
        warning('text_damaged', [name], {
          what: `was cut, as texts are at the end of a column: ${how}, and none has more`,
          todo: 'Export the file again with the whole texts. Nothing to do when nothing is missing at their ends.',
        }),
      );
    }
  }
}

const countOf = (tallies: readonly LengthTally[]): number =>
  tallies.reduce((sum, { count }) => sum + count, 0);
