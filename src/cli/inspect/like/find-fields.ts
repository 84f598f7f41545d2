import { DESCRIPTORS } from '../../../core/contract/resources.ts';
import type { SourceRow } from '../../csv/source-row.ts';
import { fieldNames, fieldOfName } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/profiled-column.ts';
import { knownValues } from '../draft/choice-draft.ts';
import {
  decided,
  open,
  type DraftSetting,
  type FieldDraft,
  type FieldEntry,
  type LikeDraft,
} from '../draft/draft.ts';
import type { FieldMatch } from '../draft/header-match.ts';
import { searchField, type FieldCandidate, type FieldSearch, type SearchSetting } from './candidates.ts';
import { linesText, type FoundExample } from './example-rows.ts';
import { formsOf, type Form, type FormRequest } from './forms.ts';
import { namedColumns, searchList } from './lists.ts';
import { featuresOf, unshownRows, type CellOf, type Feature } from './rules.ts';
import { outcomeOf, textOf, type Reader, type Trial } from './trial.ts';

/** What examples say about a mapping. */
export interface FoundFields extends LikeDraft {
  /** Lines of rows whose records answer the most questions. */
  readonly asked: readonly number[];
  /** How many fields nothing gives. */
  readonly unexplained: number;
  /** A row of which the mapping makes this record; undefined for none. */
  readonly rowOf: (values: FoundExample['values']) => SourceRow | undefined;
}

export interface FindRequest extends Omit<FormRequest, 'columns'> {
  readonly trial: Trial;
  readonly examples: readonly FoundExample[];
  readonly lost: LikeDraft['lost'];
  readonly key: LikeDraft['key'];
  readonly draft: DraftSetting;
  readonly matches: ReadonlyMap<string, FieldMatch>;
}

/** Rows of which one record would answer something about a field, or whether such rows arrive. */
type Demand = Readonly<{ field: string | null; rows: readonly SourceRow[] }>;

/** Rows that are remembered for one question. */
const MOST_ROWS = 20;
/** Answers that a question lists. */
const MOST_ANSWERS = 4;
/** Candidates that are compared with the first one. */
const MOST_CANDIDATES = 60;
/** The most values of a column that says the state of its row. */
const MOST_STATES = 6;

/** Searches each field of the examples, and every row that they leave open. */
export function findFields(request: FindRequest): FoundFields {
  const { trial, examples, lost, rows, recordOf = (row) => [row], draft, matches, cellOf } = request;
  const { resource, descriptors = DESCRIPTORS } = draft;
  const { typeField, idField, amount } = descriptors[resource];
  const columns = draft.columns.filter(({ name }) => name !== null && name !== '');
  let all = featuresOf(columns, cellOf);
  let forms: readonly Form[] | undefined;
  const wanted = new Set(examples.flatMap(({ values }) => Object.keys(values)));
  const names = fieldNames(resource, draft.descriptors).filter((field) => wanted.has(field));
  const searches = new Map<string, FieldSearch>();
  const columnsOf = (field: string | null | undefined): readonly ColumnProfile[] =>
    namedColumns((field && searches.get(field)?.candidates[0]?.entry) || null, columns);
  const identities: readonly (string | null)[] = ['external_account_number', idField];
  const ids = ['import_supplier', ...identities];
  const isOf = (of: readonly (string | null)[], { column }: Feature): boolean =>
    of.some((field) => columnsOf(field).includes(column));
  // The fields go by no column of an id, and by that of the type before others.
  const order = [...ids, typeField, ...names];
  for (const field of names.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))) {
    searches.set(field, searchOf(field));
    all = all.filter((feature) => !isOf(ids, feature));
  }

  const used = new Set(names.flatMap(columnsOf));
  const typed = all.filter((feature) => isOf([typeField], feature));
  const shown = examples.map(({ row }) => row);
  const shownParts = shown.flatMap(recordOf);
  const free = all.filter(
    (feature) => feature.isValue && (!used.has(feature.column) || typed.includes(feature)),
  );
  // Cells of many values, such as a day of cancellation, that are empty in every example.
  const filled = all.filter((feature) => !feature.isValue && !used.has(feature.column));
  const states = [...free, ...filled].flatMap((feature) => {
    const keys = new Set(rows.map(feature.keyOf));
    const values = [...keys.difference(new Set(shownParts.map(feature.keyOf)))];
    const isShown = values.length === 0 || (!feature.isValue && values[0] === 'empty');
    return keys.size > MOST_STATES || isShown ? [] : [{ feature, values }];
  });
  const isLive = (row: SourceRow): boolean =>
    !states.some(({ feature, values }) => feature.isValue && values.includes(feature.keyOf(row)));
  const live = rows.filter(isLive);
  const sign = columnsOf(amount?.field)
    .filter(({ numbers }) => numbers)
    .map((column) => signOf(column, cellOf));
  const demands: readonly Demand[] = [
    ...states.map(({ feature, values }) => ({
      field: null,
      rows: rows.filter((row) => feature.keyOf(row) === values[0]).slice(0, MOST_ROWS),
    })),
    ...names.flatMap(demandsOf),
  ];
  const asked = fewestRows(demands);
  return {
    fields: new Map(names.flatMap((field) => foundField(field, searches.get(field)!))),
    states: states.map(({ feature: { column, keyOf, isValue }, values }) => ({
      column,
      ...(isValue && { values }),
      line: rows.find((row) => keyOf(row) === values[0])!.firstLine,
    })),
    used: [...used],
    key: request.key,
    unexplained: names.filter((field) => searches.get(field)!.candidates.length === 0).length,
    lost,
    asked: asked.map(({ firstLine }) => firstLine).toSorted((a, b) => a - b),
    rowOf: (values) =>
      rows.find((row) =>
        names.every((field) => searches.get(field)!.candidates[0]?.read(row) === outcomeOf(values[field])),
      ),
  };

  function searchOf(field: string): FieldSearch {
    const likely = new Set([...(matches.get(field)?.columns ?? []), ...columnsOf(typeField)]);
    const values = examples.map(({ values: of }) => of[field]);
    const { kind } = fieldOfName(resource, field, draft.descriptors)!;
    const setting: SearchSetting = {
      field,
      kind,
      draft,
      columns,
      features: [
        ...all.filter(({ column }) => likely.has(column)),
        ...all.filter(({ column }) => !likely.has(column)),
      ],
      rows: examples.map(({ row }) => row),
      wanted: values.map(outcomeOf),
      values: values.map(textOf),
      reader: (entry) => trial(field, entry),
      isIdentity: identities.includes(field),
      isSum: request.recordOf !== undefined,
      isFree: kind !== 'boolean' && knownValues(resource, field, draft.descriptors) === undefined,
    };
    const search = searchField(setting);
    if (kind !== 'json' || search.candidates.length > 0) return search;
    forms ??= formsOf({ ...request, columns });
    return searchList(setting, values, forms);
  }

  /** Rows that show whether another candidate is right, and rows unlike all examples, where the field may depend on it. */
  function demandsOf(field: string): readonly Demand[] {
    const { candidates, unshown } = searches.get(field)!;
    const [first, ...others] = candidates;
    if (!first) return [];
    const differing = others
      .slice(0, MOST_CANDIDATES)
      .map((other) => live.filter((row) => differs(first, other, row)));
    const of = { rows: live, partsOf: (row: SourceRow) => [row] };
    const missing = evidenceFor(field, first).flatMap((features) => unshownRows(features, shown, of));
    const once = onceReader(field, first.entry);
    const isTwice = (row: SourceRow): boolean => once?.(row) === null;
    const twice = { rows: once ? live.filter(isTwice) : [], partsOf: of.partsOf };
    const folds = free.flatMap((each) => unshownRows([each], shown.filter(isTwice), twice));
    const isSum = JSON.stringify(first.entry).includes('"sum":true');
    const parts = [
      ...(unshown?.(live, (column) => used.has(column)) ?? []),
      ...(isSum ? free : []).flatMap((each) =>
        unshownRows([each], shownParts, { rows: live, partsOf: recordOf }),
      ),
    ];
    return [...differing, ...missing, ...folds, ...parts].flatMap((own) =>
      own.length === 0 ? [] : [{ field, rows: own.slice(0, MOST_ROWS) }],
    );
  }

  /** Reads no hour that occurs twice, if the entry says which of the two it always was. A column may say something else. */
  function onceReader(field: string, entry: FieldEntry): Reader | undefined {
    const isFold = typeof entry === 'object' && entry !== null && 'fold' in entry;
    const others = Object.entries(entry ?? {}).filter(([key]) => key !== 'fold');
    return isFold ? trial(field, Object.fromEntries(others)) : undefined;
  }

  /** The combinations of features that examples have to show before the field is decided. */
  function evidenceFor(
    field: string,
    { kind, entry, features }: FieldCandidate,
  ): readonly (readonly Feature[])[] {
    const isNamed = (column: ColumnProfile): boolean => matches.get(field)?.columns.includes(column) ?? false;
    if (field === amount?.field) {
      // Two letters may stand for the sign, whatever the type says.
      const sided = free.filter((each) => !typed.includes(each) && statesOf(each.column) === 2);
      return typed.length === 0
        ? [sign]
        : typed.flatMap((each) => [[each, ...sign], ...sided.map((side) => [each, side])]);
    }
    if (kind === 'column') return [];
    // One supplier sends one file.
    if (kind === 'constant' && field === 'import_supplier') return [];
    if (kind === 'constant') {
      return [...free, ...(entry === null ? all.filter(({ column }) => isNamed(column)) : [])].map((each) => [
        each,
      ]);
    }
    const isSure =
      features.length === 1 &&
      (isNamed(features[0]!.column) || (field !== typeField && typed.includes(features[0]!)));
    const others = isSure ? [] : all.filter((other) => !features.includes(other));
    return [
      features,
      ...(field === typeField ? [[...features, ...sign]] : []),
      ...others.map((other) => [...features, other]),
    ];
  }

  /** Nothing for a field that no example has, and that no row may have. */
  function foundField(
    field: string,
    { candidates, nearest }: FieldSearch,
  ): readonly (readonly [string, FieldDraft])[] {
    const [first, ...others] = candidates;
    const own = demands.filter((demand) => demand.field === field);
    if (!first) {
      const wrong = examples.filter(({ row, values }) => nearest?.read(row) !== outcomeOf(values[field]));
      const because = `nothing gives the ${field} of ${linesText(wrong.map(({ line }) => line))} of the examples`;
      return [
        [
          field,
          nearest ? open([nearest.entry], `${because}; this gives that of the others`) : open([], because),
        ],
      ];
    }
    // One record may have no column for its account, but a file of one account is rare.
    if (first.kind === 'constant' && identities.includes(field) && first.entry !== null)
      return [[field, open([first.entry], `all examples have one ${field}, and no column gives it`)]];
    if (own.length === 0)
      return first.entry === null
        ? []
        : [[field, decided(first.entry, `The ${field} of all ${examples.length} examples`)]];
    const rivals = others
      .slice(0, MOST_CANDIDATES)
      .filter((other) => live.some((row) => differs(first, other, row)));
    const answers = [first, ...rivals]
      .flatMap(({ entry }) => (entry === null ? [] : [entry]))
      .slice(0, MOST_ANSWERS);
    const lines = new Set(
      own.map(({ rows: of }) => (of.find((row) => asked.includes(row)) ?? of[0]!).firstLine),
    );
    const record = `${linesText([...lines].toSorted((a, b) => a - b))} of the file`;
    const because =
      rivals.length > 0
        ? `which is the ${field}? Each of these gives that of all examples; the record of ${record} would decide`
        : `what is the ${field} of rows such as ${record}? No example is like them`;
    return [[field, open(answers, because)]];
  }
}

const statesOf = ({ distinct, empty }: ColumnProfile): number => distinct.count + Math.min(empty, 1);

/** Whether the answers differ on a row. One that cannot read it, or knows nothing of rows like it, contradicts nothing. */
function differs(first: FieldCandidate, other: FieldCandidate, row: SourceRow): boolean {
  if (!other.isKnown(row) || !first.isKnown(row)) return false;
  const read = other.read(row);
  return read !== null && read !== first.read(row);
}

/** The sign and marks of an amount, without its digits, and whether there is one. */
function signOf(column: ColumnProfile, cellOf: CellOf): Feature {
  const keyOf = (row: SourceRow): string => cellOf(row, column).replaceAll(/[\d.,'’\s]+/g, '0');
  return { column, isValue: false, keyOf };
}

/** The rows that answer the most demands each, until every demand has one. */
function fewestRows(demands: readonly Demand[]): readonly SourceRow[] {
  const chosen: SourceRow[] = [];
  let open = demands;
  while (open.length > 0) {
    const counts = new Map<SourceRow, number>();
    for (const { rows } of open) for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
    const [best] = [...counts].toSorted(([a, one], [b, two]) => two - one || a.firstLine - b.firstLine)[0]!;
    chosen.push(best);
    open = open.filter(({ rows }) => !rows.includes(best));
  }
  return chosen;
}
