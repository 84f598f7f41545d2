/** An answer of a draft: the numbers of its lines, counted from zero. */
type Answer = readonly number[];

// No line of a comment in sentences begins like an answer: with a key, an entry, or braces.
const ANSWER = /^ *# ((?:[a-z_]+:(?: |$))|\{ )/;
const GOES_ON = /^ *# {3}\S/;

/** Every answer of a draft that is not in force. Indented lines belong to the answer before them. */
function answersOf(lines: readonly string[]): readonly Answer[] {
  const answers: number[][] = [];
  for (const [at, line] of lines.entries()) {
    if (ANSWER.test(line)) answers.push([at]);
    else if (GOES_ON.test(line) && answers.at(-1)?.at(-1) === at - 1) answers.at(-1)!.push(at);
  }
  return answers;
}

/** The draft once for each of its answers, with that one in force. */
export function draftsAnswered(text: string): readonly string[] {
  const lines = text.split('\n');
  return answersOf(lines).map((answer) =>
    lines.map((line, at) => (answer.includes(at) ? line.replace('# ', '') : line)).join('\n'),
  );
}
