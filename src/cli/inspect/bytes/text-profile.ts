import type { TextProfile } from '../inspection.ts';
import { OccurrenceCount } from '../column/occurrences.ts';
import type { TextLine } from './text-lines.ts';

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

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

  accept(line: TextLine): void {
    const { text, number } = line;
    this.lines++;
    this.ends[line.end]++;
    this.lastEnd = line.end;
    if (line.isCut) this.found.cutLines.add(number);
    if (text === '') return;
    this.shortest = Math.min(this.shortest, text.length);
    this.longest = Math.max(this.longest, text.length);
    this.countIn(text, number);
  }

  result(): TextProfile {
    return {
      ...this.found,
      lines: this.lines,
      lengths: { shortest: this.longest === 0 ? 0 : this.shortest, longest: this.longest },
      lineEnds: { lf: this.ends['\n'], crlf: this.ends['\r\n'], cr: this.ends['\r'] },
      endsWithLineEnd: this.lastEnd !== '',
    };
  }

  private countIn(text: string, line: number): void {
    const controls = text.match(CONTROL)?.length ?? 0;
    if (controls > 0) this.found.controlCharacters.add(line, controls);
    const returns = text.split('\r').length - 1;
    if (returns > 0) this.found.loneCarriageReturns.add(line, returns);
  }
}
