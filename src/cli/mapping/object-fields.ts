import type { CompiledField, CompiledItem } from './compiled-field.ts';
import type { FieldMaker } from './field-maker.ts';
import { orderByNeeds } from './field-order.ts';
import type { ObjectShape } from './field-shape.ts';
import { listField } from './list-field.ts';
import { neededFields } from './mapping-file/field-walk.ts';
import type { FieldSpec } from './mapping-file/field-schema.ts';
import { valueField } from './value-field.ts';

/**
 * Compiles the fields of a record or of an item, each made after those that its conditions look at, into an object with
 * its keys in the order of the contract; undefined when no field has a value.
 */
export function objectFields(
  specs: Readonly<Record<string, FieldSpec>>,
  shape: ObjectShape,
  maker: FieldMaker,
): CompiledItem {
  const names = Object.keys(specs);
  const fields = names.map((name) => fieldOf(name, specs[name]!, shape, maker));
  const { order, circle } = orderByNeeds(names, (name) => neededFields(specs[name]!));
  const makes = [...order, ...circle].map((name) => {
    const slot = names.indexOf(name);
    return [slot, fields[slot]!.make] as const;
  });
  const inContractOrder = Object.keys(shape.fields)
    .filter((name) => names.includes(name))
    .map((name) => [name, names.indexOf(name)] as const);
  return {
    slots: names.length,
    readers: fields.flatMap(({ readers }) => readers),
    make(scope) {
      for (const [slot, make] of makes) scope.values[slot] = make(scope);
      const object: Record<string, unknown> = {};
      let isEmpty = true;
      for (const [name, slot] of inContractOrder) {
        const value = scope.values[slot];
        if (value === undefined) continue;
        object[name] = value;
        isEmpty = false;
      }
      return isEmpty ? undefined : object;
    },
  };
}

function fieldOf(name: string, spec: FieldSpec, { fields }: ObjectShape, maker: FieldMaker): CompiledField {
  const shape = fields[name]!;
  const path = [name];
  return shape.kind === 'list'
    ? listField(spec, { path, shape, compileObject: objectFields }, maker)
    : valueField(spec, { path, facts: shape.facts, kind: shape.facts.kind }, maker);
}
