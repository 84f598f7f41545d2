import { counted } from '../../output/text/text.ts';
import type { FileProfile } from '../inspection.ts';
import { comment, flowYaml, leavingOut, shownName, type Questions } from './draft-text.ts';

/** Leaves out lines of pages, and asks about rows of totals between the rows. */
export function totalLines({ table: { otherLines } }: FileProfile, questions: Questions): readonly string[] {
  if (otherLines.length === 0) return [];
  const parts = otherLines.map(({ word, wrong, pattern, count, lines: [first] }) => {
    const what =
      word === null
        ? `${counted(count, 'line')} of a page`
        : `${counted(count, 'row')} with ${shownName(word)}`;
    return {
      fact: `${what} (first on line ${first})${wrong && `, where ${wrong}`}`,
      line: `- ${flowYaml(pattern)}`,
    };
  });
  const facts = parts.map(({ fact }) => fact).join('; ');
  const lines = parts.map(({ line }) => line);
  if (otherLines.every(({ word }) => word === null))
    return [...comment(`No rows: ${facts}.`), 'page_lines:', ...lines.map((line) => `  ${line}`)];
  return questions.ask({
    text: `are these lines totals or parts of a page, and no rows? ${facts}.`,
    key: 'page_lines',
    answers: [leavingOut('page_lines', lines, parts)],
    isInParts: true,
    isOptional: true,
    how: 'Remove the "# " of each pattern whose lines are no rows, or the line `page_lines:` when every line is a row.',
  });
}

/** The question about the control record at the end. */
export function trailerLines({ table: { trailer } }: FileProfile, questions: Questions): readonly string[] {
  if (!trailer) return [];
  return questions.ask({
    text: `is line ${trailer.line} a control record? ${trailer.because}.`,
    key: 'trailer',
    answers: [{ lines: Object.entries(trailer.keys).map(([key, value]) => `${key}: ${flowYaml(value)}`) }],
    isOptional: true,
  });
}
