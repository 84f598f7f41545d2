import * as z from 'zod/mini';
import type { FieldFacts } from '../../core/contract/field.ts';
import { described } from '../../core/schema.ts';
import { failure, type Problem } from '../../core/problem.ts';
import type { Decimal } from '../../core/values/decimal.ts';
import {
  majorFromMinor,
  minorFromMajor,
  negated,
  withoutTrailingZeros,
} from '../../core/values/decimal-shift.ts';
import type { CellKind } from './column.ts';
import { dateReader } from './date-reader.ts';
import { dateFormatNeeds } from './date-needs.ts';
import { Flawed } from './flawed.ts';
import { lookupStep, type LookupTables, type TableValue } from './lookup.ts';
import {
  DATE_KEYS,
  dateFormats,
  FLAG_KEYS,
  NUMBER_KEYS,
  CELL_KEYS,
  replacements,
  type StepSpec,
} from './mapping-file/step-keys.ts';
import { lookupTable } from './mapping-file/lookup-schema.ts';
import { filledText, oneCharacter, timeOfDay, wholeNumber, yesNo } from './mapping-file/scalars.ts';
import { numberStep } from './number-step.ts';
import { replacer } from './replacement.ts';

/** What a step is made from. */
export interface StepMaterial {
  readonly spec: StepSpec;
  readonly facts: FieldFacts;
  readonly tables: LookupTables;
  /** Numbers of fixed columns are filled up with zeros, which are no mistake there. */
  readonly isFixedWidth: boolean;
}

/** From one value to the next: undefined is no value, `Flawed` what could not be read. */
export type Step<From, To> = (value: From) => To | Flawed | undefined;

/**
 * When a step is taken. `cell`: with each cell, before anything else. `text`: while the value is text. `value`: the one
 * step that makes of it what the field holds. `amount`: with the decimal that came of it.
 */
type Phases =
  | {
      readonly phase: 'cell';
      readonly compile: (
        from: Pick<StepMaterial, 'spec'>,
      ) => ((cell: string) => string | undefined) | undefined;
    }
  | {
      readonly phase: 'text';
      readonly compile: (from: StepMaterial) => Step<string, string | TableValue> | undefined;
    }
  | { readonly phase: 'value'; readonly compile: (from: StepMaterial) => Step<string, unknown> | undefined }
  | {
      readonly phase: 'amount';
      readonly compile: (from: StepMaterial) => Step<Decimal, Decimal> | undefined;
    };

/** A step that a mapping file can ask for. */
export type Transform = Phases & {
  /** Kinds of fields that can take it. */
  readonly kinds: readonly CellKind[];
  /** Keys of a field that belong to it, all optional. */
  readonly keys: Readonly<Record<string, z.ZodMiniType>>;
  /** What a field lacks that asks for it; paths are keys of the field. */
  readonly needs?: (from: Omit<StepMaterial, 'tables'>) => readonly Problem[];
};

const EVERY: readonly CellKind[] = ['text', 'decimal', 'boolean', 'date', 'datetime', 'json'];
const EVERY_LEAF = EVERY.filter((kind) => kind !== 'json');

/** Every step, in the order in which they are taken. */
export const TRANSFORMS: readonly Transform[] = [
  {
    kinds: EVERY,
    phase: 'cell',
    keys: { trim: CELL_KEYS.trim },
    // `trim` also knows no-break and ideographic spaces.
    compile: ({ spec }) => (spec.trim ? (value) => value.trim() : undefined),
  },
  {
    kinds: EVERY,
    phase: 'cell',
    keys: { null_tokens: CELL_KEYS.null_tokens },
    compile({ spec }) {
      const tokens = new Set(spec.null_tokens);
      return (value) => (tokens.has(value) ? undefined : value);
    },
  },
  {
    kinds: EVERY,
    phase: 'text',
    keys: {
      replace: described(
        z.optional(replacements()),
        'Regular expressions (JavaScript) and what takes the place of every match, in their order.',
      ),
    },
    compile({ spec: { replace, null_tokens } }) {
      if (!replace) return undefined;
      const replaced = replacer(replace);
      // What is nothing once it is replaced is nothing, as an empty cell is.
      const tokens = new Set(null_tokens);
      return (value) => {
        const result = replaced(value);
        return tokens.has(result) ? undefined : result;
      };
    },
  },
  {
    kinds: ['text'],
    phase: 'text',
    keys: {
      pad: described(
        z.optional(
          z.strictObject({
            length: wholeNumber(1, 512),
            with: oneCharacter(),
            side: z.optional(z.enum(['left', 'right'])),
          }),
        ),
        'Fills a text up to a length; on the left unless `side: right`.',
      ),
    },
    compile: ({ spec: { pad } }) =>
      pad &&
      ((value) =>
        pad.side === 'right' ? value.padEnd(pad.length, pad.with) : value.padStart(pad.length, pad.with)),
  },
  {
    kinds: ['text'],
    phase: 'text',
    keys: {
      case: described(z.optional(z.enum(['upper', 'lower'])), 'Makes all letters large or small.'),
    },
    // The locale-free methods: `i` has to become `I` on a Turkish machine, too.
    compile: ({ spec }) =>
      spec.case && (spec.case === 'upper' ? (value) => value.toUpperCase() : (value) => value.toLowerCase()),
  },
  {
    kinds: EVERY_LEAF,
    phase: 'text',
    keys: {
      lookup: described(
        z.optional(lookupTable),
        'What takes the place of which text: a table, or a CSV file with one. Its values are written as the interface writes them: 0.23, 2026-01-31.',
      ),
      otherwise: described(
        z.optional(filledText()),
        'For a text that is not in the table: `error` (default), `keep`, or a value as in the table. What is kept is read as the file writes it.',
      ),
    },
    compile: ({ spec, ...from }) => lookupStep(spec, from),
    needs: ({ spec }) =>
      spec.otherwise === undefined || spec.lookup !== undefined
        ? []
        : [failure('mapping_needs', ['otherwise'], { needed: '`lookup` beside it' })],
  },
  { kinds: ['decimal'], phase: 'value', keys: NUMBER_KEYS, compile: numberStep },
  {
    kinds: ['decimal'],
    phase: 'amount',
    keys: { negate: described(z.optional(yesNo()), 'Turns the sign of the number.') },
    compile: ({ spec }) => (spec.negate ? negated : undefined),
  },
  {
    kinds: ['decimal'],
    phase: 'amount',
    keys: {
      unit: described(
        z.optional(z.enum(['major', 'minor'])),
        'What the source holds, pounds or pence; what the field takes is known.',
      ),
      minor_digits: described(
        z.optional(wholeNumber(0, 4)),
        'Digits of the minor unit. Default: 2; for yen it is 0.',
      ),
    },
    compile: ({ spec: { unit, minor_digits: digits = 2 }, facts }) => {
      if (unit === undefined) return undefined;
      const target = facts.unit ?? 'major';
      return (amount) => {
        // What the source holds may have no more digits than its unit has, whatever the field takes.
        const minor = minorFromMajor(amount, unit === 'minor' ? 0 : digits);
        if (!minor)
          return new Flawed(failure('minor_digits_lost', [], { digits: unit === 'minor' ? 0 : digits }));
        if (unit === target) return amount;
        return target === 'minor' ? minor : majorFromMinor(minor, digits);
      };
    },
    needs: ({ spec }) =>
      spec.minor_digits === undefined || spec.unit !== undefined
        ? []
        : [failure('mapping_needs', ['minor_digits'], { needed: '`unit` beside it' })],
  },
  {
    kinds: ['decimal'],
    phase: 'amount',
    keys: {
      trailing_zeros: described(
        z.optional(z.enum(['strip'])),
        '`strip` drops zeros at the end, beyond the second decimal. No other digit is dropped.',
      ),
    },
    compile: ({ spec }) => spec.trailing_zeros && ((amount) => withoutTrailingZeros(amount, 2)),
  },
  {
    kinds: ['date', 'datetime'],
    phase: 'value',
    keys: {
      format: described(
        z.optional(dateFormats()),
        'How it is written: yyyy yy MM M MMM dd d HH H mm ss SSS XXX, or iso, excel_serial, epoch_seconds, epoch_milliseconds.',
      ),
      at: described(z.optional(timeOfDay()), 'The time of day for formats without one.'),
      ...DATE_KEYS,
    },
    compile: ({ spec, facts }) =>
      dateReader({
        kind: facts.kind as 'date' | 'datetime',
        formats: spec.format,
        timeZone: spec.time_zone,
        fold: spec.fold,
        at: spec.at,
        century: spec.century,
        months: spec.months,
        decimalMark: spec.decimal_mark,
      }),
    needs: ({ spec, facts }) => dateFormatNeeds(spec, facts.kind),
  },
  {
    kinds: ['boolean'],
    phase: 'value',
    keys: FLAG_KEYS,
    compile({ spec }) {
      const flags = new Map([
        ...spec.true_tokens.map((token) => [token, true] as const),
        ...spec.false_tokens.map((token) => [token, false] as const),
      ]);
      const known = [...flags.keys()].map((token) => `\`${token}\``).join(', ');
      return (value) => flags.get(value) ?? new Flawed(failure('flag_unreadable', [], { known }));
    },
  },
];
