import { stringify } from 'yaml';

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

/** A question of a draft. `answers`: the lines of each answer to choose from; none for leaving the field out. */
export interface DraftQuestion {
  readonly text: string;
  readonly answers: readonly (readonly string[])[];
}

/** Lines of the answers that a person has given, by the number of the question. */
export type GivenAnswers = ReadonlyMap<number, readonly string[]>;

/** Numbers the questions of a draft, so that the summary and the file use the same numbers. A question that is answered has its answer in the file. */
export class Questions {
  readonly asked: DraftQuestion[] = [];
  private readonly given: GivenAnswers;

  constructor(given: GivenAnswers = new Map()) {
    this.given = given;
  }

  /** The question as a comment, then the answers to choose from. */
  ask(text: string, answers: readonly string[], indent = ''): readonly string[] {
    const remove =
      answers.length === 0
        ? ''
        : answers.length === 1
          ? ' To say so, remove the "# ":'
          : ' Remove the "# " of one:';
    const lines = answers.map((answer) => [answer]);
    return (
      this.write(text, lines, indent) ?? [...this.question(remove, indent), ...proposal(answers, indent)]
    );
  }

  /** The question, then one answer of several lines. @param more another thing that a person has to do, as ` and …` */
  askWhole(text: string, answer: readonly string[], more = ''): readonly string[] {
    const marks =
      answer.length === 1 ? 'the "# "' : answer.length === 2 ? 'the "# " of both' : 'the "# " of all';
    // What has to be done besides is done in the file.
    const answers = more === '' ? [answer] : [];
    return (
      this.write(text, answers, '') ?? [
        ...this.question(` If so, remove ${marks}${more}:`, ''),
        ...proposal(answer),
      ]
    );
  }

  /** About rows that may be no records. The key has no value until somebody decides: without it the rows would be sent, and nobody would notice. */
  askLeftOut(text: string, conditions: readonly string[]): readonly string[] {
    return (
      this.write(text, [['filter:', ...conditions], ['# Every row is a record.']], '') ?? [
        ...this.question(
          ` Remove the "# " of each condition whose rows are left out, or the line \`filter:\` when every row is a record.`,
          '',
        ),
        'filter:',
        ...proposal(conditions),
      ]
    );
  }

  /**
   * About a key of the file as a whole. It has no value until a person decides, so the file is not read before. `init` asks it before
   * it drafts anything.
   */
  askKey(text: string, key: string, answers: readonly string[]): readonly string[] {
    this.asked.push({ text, answers: [] });
    return [...this.question(' Remove the "# " of one:', ''), `${key}:`, ...proposal(answers, '  ')];
  }

  /** About a field that a record does not need. It gets a key without a value: without a key it would be left out, and nobody would notice. */
  askOptional(text: string, field: string, answers: readonly string[], indent: string): readonly string[] {
    const rest = answers.length === 0 ? '' : ' or the "# " of one answer';
    const lines = answers.map((answer) => [`${field}: ${answer}`]);
    return (
      this.write(text, [...lines, []], indent) ?? [
        ...this.question('', indent),
        ...comment(`Remove the line \`${field}:\`${rest}.`, indent),
        `${indent}${field}:`,
        ...proposal(answers, `${indent}  `),
      ]
    );
  }

  /** Notes the question. The lines of its answer if it is answered. */
  private write(
    text: string,
    answers: DraftQuestion['answers'],
    indent: string,
  ): readonly string[] | undefined {
    this.asked.push({ text: /[.?!]$/.test(text) ? text : `${text}.`, answers });
    const given = this.given.get(this.asked.length);
    return (
      given && [
        ...comment(`Answer to question ${this.asked.length}: ${this.asked.at(-1)!.text}`, indent),
        ...given.map((line) => indent + line),
      ]
    );
  }

  private question(remove: string, indent: string): readonly string[] {
    return comment(`QUESTION ${this.asked.length}: ${this.asked.at(-1)!.text}${remove}`, indent);
  }
}
