import { stringify } from 'yaml';
import { UNSAFE, unicodeEscape } from '../../../core/command-line.ts';

/** Characters of a line of comment. */
const WIDTH = 110;
/** Characters that are invisible, or that end a line in some program. */
const INVISIBLE = new RegExp(String.raw`${UNSAFE.source}|[\u00AD\u206A-\u206F]`, 'gu');

/** A value on one line of YAML, quoted where YAML needs it. */
export function flowYaml(value: unknown): string {
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }).trimEnd();
  // YAML would fold a line break into several lines, which do not fit into a comment. JSON is YAML, too.
  return text.search(INVISIBLE) < 0 ? text : JSON.stringify(value).replaceAll(INVISIBLE, unicodeEscape);
}

/** A name from the file, for a comment. A line break in the name must not end the comment. */
export const shownName = (name: string): string => `"${name.replaceAll(INVISIBLE, unicodeEscape)}"`;

/** A comment, broken between words. Its further lines are indented, so that none looks like an answer. */
export function comment(text: string, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line = `${indent}#`;
  for (const word of text.split(' ')) {
    if (line.length + word.length >= WIDTH && line !== `${indent}#`) {
      lines.push(line);
      line = `${indent}#  `;
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** Lines with their reason; none where they are not needed. */
export const declared = (
  isNeeded: boolean,
  because: string,
  ...lines: readonly string[]
): readonly string[] => (isNeeded ? [...comment(`${because}.`), ...lines] : []);

/** Lines that take effect once a person removes their "# ". */
export function proposal(lines: readonly string[], indent = ''): readonly string[] {
  return lines.map((line) => `${indent}# ${line}`);
}

/** A question of a draft. Its key has no value until it is answered. */
export interface DraftQuestion {
  readonly text: string;
  readonly key: string;
  /** The answers to choose from, each as the lines of YAML that are the value of the key. */
  readonly answers: readonly (readonly string[])[];
  /** Whether a record can do without the key. */
  readonly isOptional?: boolean;
  /** The instruction for a person, where it is another than usual. */
  readonly how?: string;
  /** Lines that go with an answer. */
  readonly besides?: readonly string[];
}

/** Numbers the questions of a draft, so that the summary and the file use the same numbers. */
export class Questions {
  readonly asked: DraftQuestion[] = [];

  /** The lines of the question: a comment, its key without a value, and below it the answers to choose from. */
  ask(question: DraftQuestion, indent = ''): readonly string[] {
    const { key, answers, besides = [] } = question;
    const text = /[.?!]$/.test(question.text) ? question.text : `${question.text}.`;
    const number = this.asked.push({ ...question, text });
    return [
      ...comment(`QUESTION ${number}: ${text}`, indent),
      ...comment(question.how ?? howOf(question), indent),
      `${indent}${key}:`,
      ...answers.flatMap((lines) => proposal(lines, `${indent}  `)),
      ...besides.map((line) => indent + line),
    ];
  }
}

function howOf({ key, answers: [first, ...others], isOptional = false }: DraftQuestion): string {
  const orRemove = isOptional ? `, or remove the line \`${key}:\`` : '';
  if (!first) return `Write the answer behind \`${key}:\`${orRemove}.`;
  if (others.length > 0) return `Remove the "# " of one answer${orRemove}.`;
  if (first.length > 1)
    return `If so, remove the "# " of all lines of the answer${isOptional ? `. If not, remove the line \`${key}:\`` : ''}.`;
  return `Remove the "# " of the answer, or write another one${orRemove}.`;
}
