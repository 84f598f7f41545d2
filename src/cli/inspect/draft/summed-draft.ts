import type { InspectedColumn } from '../inspection.ts';
import { shownName } from './draft-text.ts';
import type { FieldDraft } from './field-finding.ts';
import type { FieldMatch } from './match-columns.ts';

/** The column that the id of a record comes from. */
export function idColumnOf(matches: ReadonlyMap<string, FieldMatch>): InspectedColumn | undefined {
  return (matches.get('transaction_id') ?? matches.get('statement_id'))?.columns[0];
}

/** An amount, or the question whether it is one of several that a record is the sum of: rows that repeat an id may be one record. */
export function summedDraft(
  draft: FieldDraft,
  matches: ReadonlyMap<string, FieldMatch>,
  rows: number,
): FieldDraft {
  const id = idColumnOf(matches);
  if (draft.kind === 'open' || draft.spec === null || !id || id.repeatsPrevious.count === 0) return draft;
  const columns = [draft.spec].flatMap((spec) => amountsOf(spec, matches));
  // An amount that is repeated with its id is that of the record.
  const isRepeated = columns.every((column) => column.repeatsPrevious.count >= id.repeatsPrevious.count);
  if (isRepeated) return draft;
  const keys = typeof draft.spec === 'string' ? { column: draft.spec } : draft.spec;
  const records = rows - id.repeatsPrevious.count;
  return {
    kind: 'open',
    specs: [draft.spec, { ...keys, sum: true }],
    because: `is each row an amount of its own, or is the amount the sum of the rows with one ${shownName(id.name)} (${rows} rows, ${records} in a row without a repeat)? The sum needs \`continuation\` below`,
  };
}

function amountsOf(
  spec: string | object,
  matches: ReadonlyMap<string, FieldMatch>,
): readonly InspectedColumn[] {
  const names = typeof spec === 'string' ? [spec] : Object.values(spec);
  return [...matches.values()]
    .flatMap(({ columns }) => columns)
    .filter(({ name }) => name !== null && names.includes(name));
}
