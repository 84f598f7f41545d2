import type { Descriptors, Resource } from '../../../core/contract/resources.ts';
import { pathOfAttr } from '../../../core/problem.ts';
import { Decimal, withoutLastZeros } from '../../../core/values/decimal.ts';
import { parseInstant } from '../../../core/values/instant.ts';
import { readYaml } from '../../../core/yaml/yaml-text.ts';
import type { ElementPaths, SourceRow } from '../../csv/source-row.ts';
import { planByMapping } from '../../mapping/compile/plan-by-mapping.ts';
import { recordShape } from '../../mapping/language/fields.ts';
import { mappingSchemas, type Mapping, type MappingDocument } from '../../mapping/language/mapping.ts';
import { sourceFormatOf } from '../../mapping/language/source.ts';
import type { CellProblem, RecordRows } from '../../mapping/mapping-plan.ts';
import type { FieldEntry } from '../draft/draft.ts';

/** The value of a field, so that equal values have equal texts: `''` for none, null for a cell that cannot be read. */
export type Outcome = string | null;

/** Makes the value of a field of a row. */
export type Reader = (row: SourceRow) => Outcome;

/** The value of a field as an outcome. */
export function outcomeOf(value: unknown): string {
  if (value === undefined) return '';
  if (value instanceof Decimal) return withoutLastZeros(value.text);
  if (typeof value === 'string') return JSON.stringify(parseInstant(value) ?? value);
  if (Array.isArray(value)) return `[${value.map(outcomeOf).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, each]) => `${JSON.stringify(key)}:${outcomeOf(each)}`).join()}}`;
}

/** A value as a mapping writes it. */
export function textOf(value: unknown): string | undefined {
  if (value instanceof Decimal) return value.text;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The mapping that has the source of a draft and no field; undefined where the lines do not make one. */
export function trialMapping(
  resource: Resource,
  source: readonly string[],
  names: readonly string[],
  descriptors?: Descriptors,
): Mapping | undefined {
  const text = ['version: 1', `resource: ${resource}`, 'source:', ...source, '  {}'].join('\n');
  const lines = source.some((line) => !/^\s*#/.test(line)) ? text.replace(/\n {2}\{\}$/, '') : text;
  const { yaml } = readYaml({ file: 'draft', text: `${lines}\n`, schema: 'failsafe' });
  const parsed = mappingSchemas(resource, descriptors).mapping.safeParse(yaml?.value);
  if (!parsed.success) return undefined;
  const document = {
    ...parsed.data,
    fields: {},
    shape: recordShape(resource, descriptors),
  } as unknown as Mapping['document'];
  return {
    name: 'draft',
    resource,
    format: sourceFormatOf(document.source, names),
    document,
    tables: new Map(),
    warnings: [],
    positionOf: () => ({ file: 'draft', line: 1, column: 1 }),
    files: [],
  };
}

/**
 * Ties an entry of a field to the rows of a file, by the engine of a push; undefined for an entry that a mapping cannot have. The field of
 * an item, such as `line_items.0.net_amount`, is that of a list with one item.
 */
export type Trial = (field: string, entry: FieldEntry) => Reader | undefined;

/** @param recordOf the rows of the record that begins with a row; the row alone without it */
export function trialOf(
  mapping: Mapping,
  {
    header,
    elements,
    recordOf = (row) => [row],
  }: {
    header: readonly string[];
    elements: ElementPaths | undefined;
    recordOf?: (row: SourceRow) => RecordRows;
  },
  descriptors?: Descriptors,
): Trial {
  const { resource, document } = mapping;
  const schema = mappingSchemas(resource, descriptors).mapping;
  return (name, entry) => {
    const path = pathOfAttr(name);
    const field = String(path[0]);
    const whole = path
      .slice(1)
      .reduceRight<FieldEntry>((inner, part) => (part === 0 ? { items: [inner] } : { [part]: inner }), entry);
    const parsed = schema.safeParse({ version: '1', resource, fields: { [field]: scalars(whole) } });
    if (!parsed.success) return undefined;
    const { fields } = parsed.data as unknown as Pick<MappingDocument, 'fields'>;
    // The supplier is given, so that its absence is no problem.
    const supplier = field === 'import_supplier' ? undefined : 'SUPPLIER';
    const tied = { supplier, joins: new Map(), elements: elements ?? null };
    const { plan, problems } = planByMapping({ ...mapping, document: { ...document, fields } }, header, tied);
    if (problems.some(({ problem }) => problem.severity === 'error')) return undefined;
    return (row) => {
      const { account, record, problems: found } = plan.candidateOf(recordOf(row), true);
      // The rows of a record may differ in a column that another field takes from each of them.
      const isError = ({ problem: { severity, code } }: CellProblem): boolean =>
        severity === 'error' && code !== 'continuation_differs';
      if (found.some(isError)) return null;
      const values: unknown = { ...(record as object), ...account };
      return outcomeOf(path.reduce((value, part) => value?.[part as never], values));
    };
  };
}

/** Every scalar as its text, as a mapping file is read. */
function scalars(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(scalars);
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, scalars(each)]));
}
