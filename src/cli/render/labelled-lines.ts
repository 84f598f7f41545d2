/** Characters of a line for people. */
const WIDTH = 100;

/** `label   text`, broken between words so that no line is wider than a terminal of a hundred columns, if words allow it. */
export function labelledLines(label: string, text: string, labelWidth: number): string {
  const indent = ' '.repeat(labelWidth);
  const lines: string[] = [];
  let line = label.padEnd(labelWidth);
  let isStarted = false;
  for (const word of text.split(' ')) {
    if (isStarted && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent + word;
    } else line += isStarted ? ` ${word}` : word;
    isStarted = true;
  }
  return [...lines, line].map((each) => `${each.trimEnd()}\n`).join('');
}
