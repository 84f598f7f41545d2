import { durationText } from '../../../core/values/duration-text.ts';
import { UNSAFE, unicodeEscape } from '../../../core/command-line.ts';

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text on one line. Every character that a terminal would act on becomes an escape such as `\u001b`. */
export function escapeControl(text: string): string {
  return text.replace(UNSAFE, (character) => SHORT[character] ?? unicodeEscape(character));
}

/** Each line escaped and ended with a line feed. */
export function escapedLines(lines: readonly string[]): string {
  return lines.map((line) => `${escapeControl(line)}\n`).join('');
}

/** `1 row`, `2 rows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The rest of a wait, in seconds that count down to `1 s`. */
export function restText(leftMs: number): string {
  return durationText(Math.max(1, Math.ceil(leftMs / 1_000)) * 1_000);
}

/** `label   text`, broken between words so that a line has at most `width` characters, unless a word is longer. */
export function labelledLines(label: string, text: string, labelWidth: number, width = 100): string {
  const indent = ' '.repeat(labelWidth);
  const lines: string[] = [];
  let line = label.padEnd(labelWidth);
  let isStarted = false;
  for (const word of text.split(' ')) {
    if (isStarted && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + word;
    } else line += isStarted ? ` ${word}` : word;
    isStarted = true;
  }
  return [...lines, line].map((each) => `${each.trimEnd()}\n`).join('');
}
