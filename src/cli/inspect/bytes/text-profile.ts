import type { TextProfile } from '../inspection.ts';
import { OccurrenceCount } from '../column/occurrences.ts';
import type { TextLine } from './text-lines.ts';

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

/** Longest line whose positions are watched. */
const MAX_FIXED_LENGTH = 4_096;

/** Looks at the lines of a text. */
export class TextCounter {
  private readonly found = {
    controlCharacters: new OccurrenceCount(),
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
    this.countIn(text, number);
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

  private countIn(text: string, line: number): void {
    const controls = text.match(CONTROL)?.length ?? 0;
    if (controls > 0) this.found.controlCharacters.add(line, controls);
    const returns = text.split('\r').length - 1;
    if (returns > 0) this.found.loneCarriageReturns.add(line, returns);
  }
}
