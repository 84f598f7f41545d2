import { createHash } from 'node:crypto';
import { failure, type Problem } from '../../../core/problem.ts';
import { compareDecimals, Decimal } from '../../../core/values/decimal.ts';
import type { ExpectationSpec } from '../language/expectations.ts';
import { alternativesOf } from '../language/field-spec.ts';
import { recordShape } from '../language/fields.ts';
import type { Mapping } from '../language/mapping.ts';
import { numberReader } from '../language/number-format.ts';
import { stepSpecOf } from '../language/source.ts';
import { templatePieces, type TemplatePiece } from '../language/template.ts';
import { CELL_KEYS, DATE_KEYS, FLAG_KEYS, NUMBER_KEYS, UNIT_KEYS } from '../language/steps.ts';
import type { BoundColumn, CellText } from './columns.ts';
import { UNREADABLE } from './compiled-field.ts';
import { allOf, predicateOf, type Predicate } from './condition.ts';
import { fieldSteps } from './field-steps.ts';
import { boundColumn, fieldValue, sourceCell, type Level } from './level.ts';
import { RunningSum } from './running-sum.ts';
import { report, rowScopes, type Scope } from './scope.ts';

/** What a mapping expects of the cells of columns. */
export function expectations(
  { document, positionOf }: Pick<Mapping, 'document' | 'positionOf'>,
  level: Level,
) {
  const compiled = (document.expect ?? []).map((spec, index) => {
    const { file, line, column: at } = positionOf(['expect', index]);
    const column = boundColumn(level, spec.column);
    const when = allOf(spec.when, level);
    const total = spec.sum === undefined ? undefined : sumOf(spec, column, level);
    const found = total ? undefined : test(spec, { column, level, document });
    return { column, when, total, found, place: { file, line, column: at, header: spec.column } };
  });
  return {
    isEmpty: compiled.length === 0,
    /** Reports every cell of a record that is not as expected. */
    check(scope: Scope) {
      for (const row of rowScopes(scope)) {
        for (const { column, when, total, found, place } of compiled) {
          if (when && !when(row)) continue;
          total?.add(row);
          const expected = found?.(row);
          if (expected === undefined) continue;
          const facts = { expected, place: `${place.file}:${place.line}:${place.column}` };
          report(row, [], column, failure('expectation_missed', [], facts));
        }
      }
    },
    /** The problems of sums, once every row was checked. `filtered`: rows that the filter has left out. */
    *verdict(filtered: number) {
      for (const { total, place } of compiled) {
        const problem = total?.verdict(filtered);
        if (problem) yield { problem, cell: place };
      }
    },
  };
}

/** What was expected of a row instead, in words; undefined when the row is as expected. */
type Test = (scope: Scope) => string | undefined;

type Tested = { readonly column: BoundColumn; readonly level: Level; readonly document: Mapping['document'] };

function test(spec: ExpectationSpec, tested: Tested): Test {
  if (spec.unique !== undefined) return uniqueTest(tested);
  if (spec.equals_column !== undefined) return columnTest(spec.equals_column, tested);
  if (spec.contains !== undefined) return containsTest(spec.contains, tested);
  if (spec.equals_field !== undefined) return fieldTest(spec.equals_field, tested);
  const { in: wanted, not_in: unwanted, is, matches } = spec;
  const holds: Predicate = predicateOf(
    { column: spec.column, in: wanted, not_in: unwanted, is, matches },
    tested.level,
  );
  const expected = wanted
    ? wanted.length === 1
      ? listed(wanted)
      : `one of ${listed(wanted)}`
    : unwanted
      ? `none of ${listed(unwanted)}`
      : matches === undefined
        ? is!
        : `a text like ${matches}`;
  return (scope) => (holds(scope) ? undefined : expected);
}

const listed = (texts: readonly string[]): string =>
  texts.map((text) => (text === '' ? 'the empty cell' : `\`${text}\``)).join(', ');

function uniqueTest({ column, level }: Tested): Test {
  const read = sourceCell(level, column);
  const seen = new SeenTexts();
  return (scope) => {
    const text = read(scope.cells);
    if (text === undefined) return undefined;
    const before = seen.see(text, scope.line ?? scope.record.rows[0].firstLine);
    return before === undefined ? undefined : `a value that occurs once, and line ${before} has it, too`;
  };
}

function columnTest(name: string, { column, level }: Tested): Test {
  const other = boundColumn(level, name);
  const [read, readOther] = [sourceCell(level, column), sourceCell(level, other)];
  const number = numberReader(stepSpecOf(level.source));
  return (scope) => {
    const [text, otherText] = [read(scope.cells), readOther(scope.cells)];
    if (text === otherText) return undefined;
    const [one, two] = [text, otherText].map((each) => (each === undefined ? undefined : number(each)));
    return one && two && compareDecimals(one, two) === 0 ? undefined : `the value of the column \`${name}\``;
  };
}

/** Whether each cell contains a text of other columns of its row, as a path contains the account. */
function containsTest(template: string, { column, level }: Tested): Test {
  const read = sourceCell(level, column);
  const pieces = (templatePieces(template) as readonly TemplatePiece[]).map((piece): CellText =>
    'text' in piece ? () => piece.text : sourceCell(level, boundColumn(level, piece.column)),
  );
  return ({ cells }) => {
    const texts = pieces.map((each) => each(cells));
    if (texts.includes(undefined) || read(cells)?.includes(texts.join(''))) return undefined;
    return `a text that contains \`${template}\``;
  };
}

/** Keys that say how values are written. */
const WRITING_KEYS = new Set(
  Object.keys({ ...CELL_KEYS, ...NUMBER_KEYS, ...DATE_KEYS, ...FLAG_KEYS, ...UNIT_KEYS, format: '', at: '' }),
);

/** Reads the column as it writes the values of the field, and without the steps that change them. */
function fieldTest(name: string, { column, level, document: { resource, fields } }: Tested): Test {
  const value = fieldValue(level, name);
  const shape = recordShape(resource).fields[name]!;
  if (shape.kind !== 'leaf') throw new TypeError('an expectation names a list');
  const [spec] = alternativesOf(fields[name]!);
  const own = Object.fromEntries(Object.entries(spec!).filter(([key]) => WRITING_KEYS.has(key)));
  const steps = fieldSteps(own, { path: [name], facts: shape.facts, kind: shape.facts.kind }, level);
  const [read, run] = [steps.readText(column), steps.run(column)];
  return (scope) => {
    const own = run(read(scope), scope);
    if (own === UNREADABLE || isSame(own, value(scope))) return undefined;
    return `the value of the field \`${name}\``;
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return one instanceof Decimal && other instanceof Decimal
    ? compareDecimals(one, other) === 0
    : one === other;
}

function sumOf(
  { column: header, sum: text }: ExpectationSpec,
  column: BoundColumn,
  level: Level,
): { add(scope: Scope): void; verdict(filtered: number): Problem | undefined } {
  const read = sourceCell(level, column);
  const number = numberReader(stepSpecOf(level.source));
  const stated = Decimal.of(text!);
  const running = new RunningSum();
  return {
    add(scope) {
      const cell = read(scope.cells);
      if (cell !== undefined) running.add(number(cell), scope.line ?? scope.record.rows[0].firstLine);
    },
    verdict(filtered) {
      const problem = running.problemIn(header);
      const found = running.total;
      if (problem || compareDecimals(stated, found) === 0) return problem;
      return failure('expected_sum_differs', [], {
        column: header,
        stated: stated.text,
        found: found.text,
        filtered,
      });
    },
  };
}

/**
 * The line on which each text was seen first. Keeps 12 bytes of a text, however long it is: 8 of its hash, and its line. Of
 * ten million different texts two have the same 8 bytes in one of 370,000 files.
 */
export class SeenTexts {
  /** Half a hash in each place; a place without a line is free. */
  private heads = new Uint32Array(SMALLEST);
  private tails = new Uint32Array(SMALLEST);
  private lines = new Uint32Array(SMALLEST);
  private count = 0;

  /** The line on which a text was seen before; undefined for the first time. */
  see(text: string, line: number): number | undefined {
    if (this.count * 2 >= this.lines.length) this.grow();
    const digest = createHash('sha256').update(text).digest();
    const [head, tail] = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    const at = this.placeOf(head, tail);
    if (this.lines[at] !== 0) return this.lines[at];
    this.put(at, [head, tail, line]);
    this.count++;
    return undefined;
  }

  private placeOf(head: number, tail: number): number {
    const mask = this.lines.length - 1;
    let at = head & mask;
    while (this.lines[at] !== 0 && (this.heads[at] !== head || this.tails[at] !== tail)) at = (at + 1) & mask;
    return at;
  }

  private put(at: number, [head, tail, line]: readonly [number, number, number]): void {
    this.heads[at] = head;
    this.tails[at] = tail;
    this.lines[at] = line;
  }

  private grow(): void {
    const { heads, tails, lines } = this;
    const size = lines.length * 2;
    [this.heads, this.tails, this.lines] = [
      new Uint32Array(size),
      new Uint32Array(size),
      new Uint32Array(size),
    ];
    lines.forEach((line, from) => {
      if (line > 0) this.put(this.placeOf(heads[from]!, tails[from]!), [heads[from]!, tails[from]!, line]);
    });
  }
}

/** Places at the beginning, a power of two. */
const SMALLEST = 4096;
