import type { Resource } from '../contract/resources.ts';
import { failure, type Problem } from '../problem.ts';
import type { RecordRule } from '../rules/rule.ts';
import { isJsonObject } from '../values/plain-json.ts';
import type { CodeRule, ObjectRules } from './contract.ts';

type Fields = Readonly<Record<string, unknown>>;
type Rule = RecordRule<Fields>;

/** A rule about records that only holds where the operator names its code (deployments.md, "Rules named by deployments"). */
type SwitchableRule = { readonly code: string; readonly resource: Resource; readonly rule: Rule };

const SWITCHABLE: readonly SwitchableRule[] = [
  { code: 'conflicting_rate_band_specification', resource: 'transactions', rule: rateNamedOnce },
  { code: 'mutually_exclusive_field_required', resource: 'payment-instructions', rule: instructionNamedOnce },
];

/** The rules about records of a resource that a contract switches on. A resource without fields in it has none. */
export function rulesByCode(
  resource: Resource,
  rules: readonly CodeRule[],
  described: ObjectRules | undefined,
): readonly Rule[] {
  const isNamed = (code: string): boolean => rules.some((rule) => rule.code === code);
  return described === undefined
    ? []
    : SWITCHABLE.filter((each) => each.resource === resource && isNamed(each.code)).map(({ rule }) => rule);
}

const RATE_NAMES = ['rate_band', 'rate_specification_code', 'time_series_specification_code'];

/** A line item names its rate in exactly one way. */
function rateNamedOnce({ line_items: items = [] }: Fields): readonly Problem[] {
  return (items as readonly unknown[]).flatMap((item, index) =>
    isJsonObject(item) && given(item, RATE_NAMES) !== 1
      ? [failure('conflicting_rate_band_specification', ['line_items', index, 'rate_band'])]
      : [],
  );
}

/** An instruction names itself in exactly one way. */
function instructionNamedOnce(instruction: Fields): readonly Problem[] {
  return given(instruction, ['reference', 'instruction_reference']) === 1
    ? []
    : [failure('mutually_exclusive_field_required', ['reference'])];
}

function given(fields: Fields, names: readonly string[]): number {
  return names.filter((name) => Object.hasOwn(fields, name)).length;
}
