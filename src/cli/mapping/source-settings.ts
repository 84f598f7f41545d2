import { RFC_4180, type FixedColumn, type SourceFormat, type TrailerMark } from '../csv/source-format.ts';
import type { SourceSpec, TrailerSpec } from './mapping-file/source-schema.ts';
import type { StepSpec } from './mapping-file/step-keys.ts';

/** What the reader of the file has to know of the source. */
export function sourceFormatOf(source: SourceSpec = {}): SourceFormat {
  const { quote = RFC_4180.quote, escape = quote, fixed } = source;
  return {
    encoding: source.encoding ?? RFC_4180.encoding,
    delimiter: source.delimiter ?? RFC_4180.delimiter,
    quote: quote === 'none' ? null : quote,
    escape: quote === 'none' ? null : escape,
    skipLines: source.skip_lines ?? 0,
    header: fixed ? fixed.flatMap(({ name }) => name ?? []) : (source.columns ?? 'first_row'),
    fixed: fixed ? fixed.map(fixedColumnOf) : null,
    rightTrimmed: source.right_trimmed ?? false,
    trailer: source.trailer ? trailerMarkOf(source.trailer) : null,
    endMark: source.end_mark ?? false,
  };
}

function fixedColumnOf({ name, width, skip }: NonNullable<SourceSpec['fixed']>[number]): FixedColumn {
  return { name: name ?? null, width: width ?? skip! };
}

function trailerMarkOf({ cell, equals, starts_with: startsWith, matches, fixed }: TrailerSpec): TrailerMark {
  return {
    cell,
    mark:
      equals !== undefined ? { equals } : startsWith !== undefined ? { startsWith } : { matches: matches! },
    // Without a name a column would be a gap, and leave no cell.
    fixed: fixed?.map(({ width }, index) => ({ name: `${index + 1}`, width })) ?? null,
  };
}

/** Settings that belong to one file alone, not to every file of a supplier. */
const OF_ONE_FILE = [
  'skip_lines',
  'header',
  'columns',
  'fixed',
  'right_trimmed',
  'trailer',
  'end_mark',
] as const;

/** The source of a second file: what it does not say is as in the first, except for what belongs to one file alone. */
export function joinedSource(source: SourceSpec = {}, own: SourceSpec = {}): SourceSpec {
  const shared = Object.fromEntries(
    Object.entries(source).filter(([key]) => !(OF_ONE_FILE as readonly string[]).includes(key)),
  );
  return { ...shared, ...own };
}

/** The steps of a field: what it says itself, else what the source says, else the default. */
export function stepSpecOf(source: SourceSpec = {}, own: Partial<StepSpec> = {}, kind?: string): StepSpec {
  const format =
    kind === 'datetime' ? (source.datetime_format ?? ['iso']) : (source.date_format ?? ['yyyy-MM-dd']);
  return { ...DEFAULT_STEPS, format, ...given(source), ...given(own) };
}

const DEFAULT_STEPS: Omit<StepSpec, 'format'> = {
  trim: false,
  null_tokens: [''],
  decimal_mark: '.',
  negative: ['leading'],
  positive_suffixes: [],
  negative_suffixes: [],
  true_tokens: ['true'],
  false_tokens: ['false'],
};

function given(spec: object): object {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined));
}
