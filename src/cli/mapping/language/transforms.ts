import * as z from 'zod/mini';
import { failure, type Problem } from '../../../core/problem.ts';
import type { Decimal } from '../../../core/values/decimal.ts';
import { daysAfter } from '../../../core/values/calendar-date.ts';
import { majorFromMinor, minorFromMajor, negated } from '../../../core/values/decimal-shift.ts';
import { dateFormatNeeds, dateReader, type DateKind } from './date-reader.ts';
import type { CellKind } from './fields.ts';
import { LOOKUP_KEYS, lookupStep, type LookupTables } from './lookup.ts';
import { numberStep } from './number-format.ts';
import { replacer } from './replacement.ts';
import { optionalKey } from '../../../core/schema.ts';
import { missingKey, oneCharacter, timeOfDay, wholeNumber, yesNo } from './schemas.ts';
import { StepProblem } from './step-problem.ts';
import {
  DATE_KEYS,
  dateFormats,
  FLAG_KEYS,
  NUMBER_KEYS,
  REPLACE_KEYS,
  UNIT_KEYS,
  type Keys,
  type KeysOf,
  type Step,
  type StepField,
  type StepSpec,
} from './steps.ts';

/**
 * The phase in which a step is taken, and the step that the keys of a field ask for; undefined when they ask for none. `text`: while the
 * value is text. `value`: the one step that makes the value of the field from the text. `amount`: with the decimal that is that value.
 */
type Phase<Spec> =
  | Readonly<{
      phase: 'text';
      compile: (spec: Spec, field: StepField, tables: LookupTables) => Step<string, unknown> | undefined;
    }>
  | Readonly<{ phase: 'value'; compile: (spec: Spec, field: StepField) => Step<string, unknown> | undefined }>
  | Readonly<{
      phase: 'amount';
      compile: (spec: Spec, field: StepField) => Step<Decimal, Decimal> | undefined;
    }>;

type TransformOf<K extends Keys> = Phase<StepSpec & KeysOf<K>> & {
  /** Kinds of fields that can have it. */
  readonly kinds: readonly CellKind[];
  /** Its keys in a field, all optional. */
  readonly keys: K;
  /** Problems of a field that lacks a key beside these. The paths of the problems are keys of the field. */
  readonly needs?: (spec: StepSpec & KeysOf<K>, field: StepField) => readonly Problem[];
};

/** A step that a mapping file can ask for. */
export type Transform = TransformOf<Readonly<Record<never, never>>>;

/** Takes the keys for granted that the schema of the field has checked. */
function transform<K extends Keys>(definition: TransformOf<K>): Transform {
  return definition as unknown as Transform;
}

const FIX_UNIT = 'Nothing is rounded: correct the cell, or `unit` and `minor_digits` in the mapping file.';

const EVERY: readonly CellKind[] = ['text', 'decimal', 'boolean', 'date', 'datetime', 'json'];
const EVERY_LEAF = EVERY.filter((kind) => kind !== 'json');

/** Every step, in the order in which steps are taken, after those of `cellText`. To add a transform, add an entry. */
export const TRANSFORMS: readonly Transform[] = [
  transform({
    kinds: EVERY,
    phase: 'text',
    keys: REPLACE_KEYS,
    compile({ replace, null_tokens }) {
      if (!replace) return undefined;
      const replaced = replacer(replace);
      // A text that is empty or a null token after replacing is no value, as such a cell is.
      return (value) => {
        const result = replaced(value);
        return null_tokens.includes(result) ? undefined : result;
      };
    },
  }),
  transform({
    kinds: ['text'],
    phase: 'text',
    keys: {
      pad: optionalKey(
        z.strictObject({ length: wholeNumber(1, 512), with: oneCharacter() }),
        'Fills a text up to a length, on the left.',
      ),
    },
    compile: ({ pad }) => pad && ((value) => value.padStart(pad.length, pad.with)),
  }),
  transform({
    kinds: ['text'],
    phase: 'text',
    keys: { case: optionalKey(z.enum(['upper', 'lower']), 'Makes all letters upper or lower case.') },
    // The methods without a locale: `i` has to become `I` on a Turkish machine, too.
    compile: (spec) =>
      spec.case && (spec.case === 'upper' ? (value) => value.toUpperCase() : (value) => value.toLowerCase()),
  }),
  transform({
    kinds: EVERY_LEAF,
    phase: 'text',
    keys: LOOKUP_KEYS,
    compile: (spec, field, tables) => lookupStep(spec, field, tables),
  }),
  transform({
    kinds: ['decimal'],
    phase: 'value',
    keys: NUMBER_KEYS,
    compile: (spec, { isFixedWidth }) => numberStep(spec, isFixedWidth),
  }),
  transform({
    kinds: ['decimal'],
    phase: 'amount',
    keys: { negate: optionalKey(yesNo(), 'Turns the sign of the number.') },
    compile: ({ negate }) => (negate ? negated : undefined),
  }),
  transform({
    kinds: ['decimal'],
    phase: 'amount',
    keys: UNIT_KEYS,
    compile({ unit, minor_digits = 2 }, { facts }) {
      if (unit === undefined) return undefined;
      const target = facts.unit ?? 'major';
      // A price or a rate may be finer than the smallest unit.
      if (unit === 'minor' && target === 'major' && (facts.bounds?.places ?? 0) > minor_digits)
        return (price) => majorFromMinor(price, minor_digits);
      // The amount must have no more digits than the unit of the source has, whatever the field takes.
      const digits = unit === 'minor' ? 0 : minor_digits;
      return (amount) => {
        const minor = minorFromMajor(amount, digits);
        if (!minor)
          return new StepProblem(failure('max_decimal_places', [], { limit: digits, todo: FIX_UNIT }));
        if (unit === target) return amount;
        return target === 'minor' ? minor : majorFromMinor(minor, minor_digits);
      };
    },
    needs: ({ unit, minor_digits }) =>
      minor_digits === undefined || unit !== undefined
        ? []
        : [missingKey(['minor_digits'], '`unit` beside it')],
  }),
  transform({
    kinds: ['date', 'datetime'],
    phase: 'value',
    keys: {
      format: optionalKey(
        dateFormats(),
        'How the value is written: yyyy yy MM M MMM dd d HH H hh h a mm ss SSS XXX, or iso, excel_serial, epoch_seconds, epoch_milliseconds.',
      ),
      at: optionalKey(timeOfDay(), 'The time of day for formats without one.'),
      day_before: optionalKey(
        yesNo(),
        'Whether the day before is meant, such as the last one of a period whose end is the day on which the next one begins.',
      ),
      ...DATE_KEYS,
    },
    compile(spec, { facts }) {
      const read = dateReader(facts.kind as DateKind, spec);
      if (!spec.day_before || facts.kind !== 'date') return read;
      return (text) => {
        const date = read(text);
        return typeof date === 'string' ? daysAfter(date, -1) : date;
      };
    },
    needs: (spec, { facts }) => [
      ...dateFormatNeeds(facts.kind, spec),
      ...(spec.day_before && facts.kind !== 'date'
        ? [missingKey(['day_before'], 'a field with a day, not with a moment')]
        : []),
    ],
  }),
  transform({
    kinds: ['boolean'],
    phase: 'value',
    keys: FLAG_KEYS,
    compile({ true_tokens, false_tokens }) {
      const flags = new Map([
        ...true_tokens.map((token) => [token, true] as const),
        ...false_tokens.map((token) => [token, false] as const),
      ]);
      const known = [...flags.keys()].map((token) => `\`${token}\``).join(', ');
      const todo = 'Correct the cell, or `true_tokens` and `false_tokens` in the mapping file.';
      const none = failure('lookup_missing', [], { what: `is none of ${known}`, todo });
      return (value) => flags.get(value) ?? new StepProblem(none);
    },
  }),
];
