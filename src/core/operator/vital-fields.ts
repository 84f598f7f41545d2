import * as z from 'zod/mini';
import { FIELD_FACTS, unwrapped, type FieldKind } from '../contract/field.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../contract/resources.ts';
import type { Path } from '../problem.ts';
import type { Fields, OperatorContract, ValueKind } from './contract.ts';

/** Fields that runs and control totals depend on, so that they have the interface's kind of value in any case. */
export function vitalFields(resource: Resource): readonly string[] {
  const { idField, typeField, amount, dates, account } = DESCRIPTORS[resource];
  const fields = [
    idField,
    typeField,
    amount?.field,
    ...dates.map((date) => date.field),
    ...Object.keys(account),
  ];
  return fields.filter((field) => typeof field === 'string');
}

/** Kinds that a contract may give to a field of the interface, because it stays what it is or becomes narrower. */
const SAME_OR_NARROWER: Readonly<Record<FieldKind, readonly ValueKind[]>> = {
  text: ['text', 'date', 'datetime'],
  decimal: ['decimal'],
  boolean: ['boolean'],
  date: ['date'],
  datetime: ['datetime'],
  json: ['json'],
};

/** The first vital field that a contract, perhaps edited by hand, drops or makes another kind of value, and where. */
export function changedVitalField({
  resources,
}: OperatorContract): { path: Path; reason: string } | undefined {
  for (const resource of RESOURCES) {
    const { account = {}, fields = {}, types } = resources[resource] ?? {};
    const places: readonly (readonly [Path, Fields])[] = [
      [['account'], account],
      [['fields'], fields],
      ...Object.entries(types?.of ?? {}).map(
        ([type, own]) => [['types', 'of', type, 'fields'], own.fields ?? {}] as const,
      ),
    ];
    for (const [path, rules] of places)
      for (const field of vitalFields(resource)) {
        const changed = Object.hasOwn(rules, field) ? changeOf(resource, field, rules[field]!) : undefined;
        if (changed) return { path: ['resources', resource, ...path, field, changed.key], ...changed };
      }
  }
  return undefined;
}

function changeOf(
  resource: Resource,
  field: string,
  { adds, absent }: Fields[string],
): { key: string; reason: string } | undefined {
  const { account, schema } = DESCRIPTORS[resource];
  const own = { ...schema.shape, ...account } as Readonly<Record<string, z.ZodMiniType>>;
  const of = own[field]!;
  const { kind } = FIELD_FACTS.get(unwrapped(of))!;
  const why = 'because runs and control totals depend on it';
  if (adds !== undefined && !SAME_OR_NARROWER[kind].includes(adds))
    return { key: 'adds', reason: `the field is always a ${kind}, ${why}` };
  return absent && !(of instanceof z.ZodMiniOptional)
    ? { key: 'absent', reason: `the field is always sent, ${why}` }
    : undefined;
}
