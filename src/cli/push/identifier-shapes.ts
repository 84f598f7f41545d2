import { DESCRIPTORS, type Resource } from '../../core/contract/resources.ts';
import { warning } from '../../core/problem.ts';
import type { RowTally, SourceLine, StagedRecord } from './ports/staging.ts';
import { reportTally, type StagedFile } from './staged-file.ts';

/** Fewer records than this have no usual shape. */
const LEAST = 50;

/** The most shapes that the identifiers of one field have, and the share of the records that may have another one. */
const USUAL_SHAPES = 3;
const FEW_SHARE = 0.01;

/** With more shapes than this, the identifiers have none. Memory stays bounded. */
const MOST_SHAPES = 200;

type ShapeTally = { -readonly [Key in keyof RowTally]: RowTally[Key] };

/** The shapes of the account numbers and ids of all records: which of them are digits, letters and other characters. */
export class IdentifierShapes {
  private readonly fields: readonly {
    readonly name: string;
    readonly textOf: (record: StagedRecord) => string | null;
    readonly shapes: Map<string, ShapeTally>;
  }[];

  constructor(resource: Resource) {
    const { idField } = DESCRIPTORS[resource];
    this.fields = [
      {
        name: 'external_account_number',
        textOf: ({ account }: StagedRecord) => account.external_account_number,
        shapes: new Map(),
      },
      ...(idField === null
        ? []
        : [{ name: idField, textOf: ({ id }: StagedRecord) => id, shapes: new Map() }]),
    ];
  }

  see(record: StagedRecord): void {
    for (const { textOf, shapes } of this.fields) {
      const text = textOf(record);
      if (text === null || shapes.size > MOST_SHAPES) continue;
      const shape = shapeOf(text);
      const known = shapes.get(shape);
      if (known) known.count++;
      else shapes.set(shape, { count: 1, first: lineOf(record) });
    }
  }

  report(file: StagedFile): void {
    for (const { name, shapes } of this.fields) {
      if (shapes.size > MOST_SHAPES) continue;
      const all = [...shapes].toSorted(([, a], [, b]) => b.count - a.count);
      const records = all.reduce((sum, [, { count }]) => sum + count, 0);
      const [usual, odd] = divided(all, records);
      if (records < LEAST || odd.length === 0) continue;
      const count = odd.reduce((sum, [, tally]) => sum + tally.count, 0);
      const { first } = odd.reduce(([, a], [, b]) => ['', isEarlier(b.first, a.first) ? b : a])[1];
      const facts = { count, records, found: listed(odd), usual: listed(usual) };
      reportTally(file, { count, first }, () => warning('identifier_shape_differs', [name], facts));
    }
  }
}

type Shapes = readonly (readonly [string, ShapeTally])[];

/** The usual shapes, and those of few records; none of these when too many records have one. */
function divided(all: Shapes, records: number): readonly [Shapes, Shapes] {
  const few = Math.max(1, Math.floor(records * FEW_SHARE));
  for (let usual = 1; usual <= USUAL_SHAPES; usual++) {
    const odd = all.slice(usual);
    if (odd.reduce((sum, [, { count }]) => sum + count, 0) <= few) return [all.slice(0, usual), odd];
  }
  return [all, []];
}

/** Runs of digits, of capital and of other letters, however long they are: `9` for 417, `A-9` for SAP-0031. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Nd}+/gu, '9')
    .replaceAll(/\p{Lu}+/gu, 'A')
    .replaceAll(/[^\P{L}A]+/gu, 'a');
}

function listed(shapes: Shapes): string {
  return shapes
    .slice(0, USUAL_SHAPES)
    .map(([shape]) => `\`${shape}\``)
    .join(', ');
}

function lineOf({ position }: StagedRecord): SourceLine {
  return { source: position.source, line: position.firstLine };
}

function isEarlier(a: SourceLine, b: SourceLine): boolean {
  return a.source < b.source || (a.source === b.source && a.line < b.line);
}
