import { stringify } from 'yaml';
import type { FieldEntry } from './draft.ts';

/** Characters of a line of comment. */
const WIDTH = 110;
// Characters that are invisible, or that end a line in some program. Escapes of four digits reach no further than U+FFFF.
const UNSAFE = /[\p{Cc}\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|\p{Surrogate}/gu;
const UNSAFE_ONE = new RegExp(UNSAFE.source, 'u');

/** A value on one line of YAML, quoted where YAML needs it. */
export function flowYaml(value: unknown): string {
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }).trimEnd();
  // YAML would fold a line break into several lines, which do not fit into a comment. JSON is YAML, too.
  return /[\r\n]/.test(text) || UNSAFE_ONE.test(text) ? safeJson(value) : text;
}

function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSAFE, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A name from the file, for a comment. A line break in the name must not end the comment. */
export function shownName(name: string | null): string {
  return name === null ? '(no header)' : `"${name.replaceAll(UNSAFE, escaped)}"`;
}

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

/** Lines that take effect once a person removes their "# ". */
export function proposal(lines: readonly string[], indent = ''): readonly string[] {
  return lines.map((line) => `${indent}# ${line}`);
}

/** Lines of YAML that are the value of a key. No line means that the key is left out. */
export type Answer = readonly string[];

/** A question of a draft. Its key has no value until it is answered. */
export interface DraftQuestion {
  readonly text: string;
  readonly key: string;
  readonly answers: readonly Answer[];
  /** The answers as entries of a field, in the same order. */
  readonly entries?: readonly FieldEntry[] | undefined;
  /** Whether a record can do without the key. */
  readonly isOptional?: boolean;
  /** A question about each line of the one answer, or about each value for the brackets of the line. Other lines are left out. */
  readonly parts?: readonly Readonly<{ fact: string; values?: readonly string[] | undefined }>[];
  /** Makes answers of another column that a person names. */
  readonly ofColumn?: ((name: string) => readonly FieldEntry[]) | undefined;
  /** The instruction for a person, where it is another than usual. */
  readonly how?: string;
  /** Lines that go with an answer. */
  readonly besides?: readonly string[];
}

/** The answers that a person has given, by the number of the question. */
export type GivenAnswers = ReadonlyMap<number, Answer>;

/** Numbers the questions of a draft, so that the summary and the file use the same numbers. A question that is answered has its answer in the file. */
export class Questions {
  readonly asked: DraftQuestion[] = [];
  private readonly given: GivenAnswers;

  constructor(given: GivenAnswers = new Map()) {
    this.given = given;
  }

  /** The lines of the question: a comment, its key without a value, and below it the answers to choose from. */
  ask(question: DraftQuestion, indent = ''): readonly string[] {
    const { key, answers, besides = [] } = question;
    const text = /[.?!]$/.test(question.text) ? question.text : `${question.text}.`;
    const number = this.asked.push({ ...question, text });
    const more = besides.map((line) => indent + line);
    const given = this.given.get(number);
    if (!given)
      return [
        ...comment(`QUESTION ${number}: ${text}`, indent),
        ...comment(question.how ?? howOf(question), indent),
        `${indent}${key}:`,
        ...answers.flatMap((answer) => proposal(answer, `${indent}  `)),
        ...more,
      ];
    const [first, ...others] = given;
    const lines =
      first === undefined
        ? comment(`${key} is left out.`, indent)
        : others.length === 0 && !/^(?:- |\w+: )/.test(first)
          ? [`${indent}${key}: ${first}`, ...more]
          : [`${indent}${key}:`, ...given.map((line) => `${indent}  ${line}`), ...more];
    return [...comment(`Answer to question ${number}: ${text}`, indent), ...lines];
  }
}

/** The instruction for a person. */
function howOf({ key, answers: [first, ...others], isOptional = false }: DraftQuestion): string {
  const orRemove = isOptional ? `, or remove the line \`${key}:\`` : '';
  if (!first) return `Write the answer behind \`${key}:\`${orRemove}.`;
  if (others.length > 0) return `Remove the "# " of one answer${orRemove}.`;
  if (first.length > 1)
    return `If so, remove the "# " of all lines of the answer${isOptional ? `. If not, remove the line \`${key}:\`` : ''}.`;
  return `Remove the "# " of the answer, or write another one${orRemove}.`;
}
