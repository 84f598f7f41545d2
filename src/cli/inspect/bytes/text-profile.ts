import type { TextProfile } from '../inspection.ts';
import { OccurrenceCount } from '../column/occurrences.ts';
import type { TextLine } from './text-lines.ts';

// The second character is what windows-1252 or iso-8859-1 make of a byte 80 to BF.
const DOUBLE_ENCODED =
  /[ÃÂ][\u0080-\u00BF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€[\u0080-\u00BF™œ“”˜¦¢\u009D]|ã[\u0080-\u0083‚ƒ€][\u0080-\u00BF]/g;
// oxlint-disable-next-line no-control-regex
const SUSPECT = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFEFF\uFFFDÃÂâã]/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0001-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/** Longest line whose positions are watched. */
const MAX_FIXED_LENGTH = 4_096;

/** Looks at the lines of a text. */
export class TextCounter {
  private readonly found = {
    doubleEncoded: new OccurrenceCount(),
    replacementCharacters: new OccurrenceCount(),
    innerByteOrderMarks: new OccurrenceCount(),
    controlCharacters: new OccurrenceCount(),
    nulls: new OccurrenceCount(),
    loneCarriageReturns: new OccurrenceCount(),
    cutLines: new OccurrenceCount(),
  };
  private lines = 0;
  private shortest = Infinity;
  private longest = 0;
  private readonly ends = { '\n': 0, '\r\n': 0, '\r': 0, '': 0 };
  private lastEnd: TextLine['end'] = '';
  /** Whether each position was blank so far; null once lines differ in length. */
  private blanks: boolean[] | null | undefined;

  accept(line: TextLine): void {
    const { text, number } = line;
    this.lines++;
    this.ends[line.end]++;
    this.lastEnd = line.end;
    if (line.isCut) this.found.cutLines.add(number);
    if (text === '') return;
    this.shortest = Math.min(this.shortest, text.length);
    this.longest = Math.max(this.longest, text.length);
    this.watchPositions(text);
    if (SUSPECT.test(text)) this.countSuspects(text, number);
  }

  result(): TextProfile {
    return {
      ...this.found,
      lines: this.lines,
      lengths: { shortest: this.longest === 0 ? 0 : this.shortest, longest: this.longest },
      lineEnds: { lf: this.ends['\n'], crlf: this.ends['\r\n'], cr: this.ends['\r'] },
      endsWithLineEnd: this.lastEnd !== '',
      blankPositions: this.blanks?.flatMap((isBlank, at) => (isBlank ? [at] : [])) ?? null,
    };
  }

  private watchPositions(text: string): void {
    if (this.blanks === null) return;
    if (this.blanks === undefined && text.length <= MAX_FIXED_LENGTH) {
      this.blanks = Array.from({ length: text.length }, () => true);
    }
    if (this.blanks?.length !== text.length) {
      this.blanks = null;
      return;
    }
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== 0x20) this.blanks[at] = false;
  }

  private countSuspects(text: string, line: number): void {
    const count = (occurrences: OccurrenceCount, found: number): void => {
      if (found > 0) occurrences.add(line, found);
    };
    count(this.found.doubleEncoded, text.match(DOUBLE_ENCODED)?.length ?? 0);
    count(this.found.controlCharacters, text.match(CONTROL)?.length ?? 0);
    count(this.found.replacementCharacters, text.split('\uFFFD').length - 1);
    count(this.found.innerByteOrderMarks, text.split('\uFEFF').length - 1);
    count(this.found.nulls, text.split('\0').length - 1);
    count(this.found.loneCarriageReturns, text.split('\r').length - 1);
  }
}
