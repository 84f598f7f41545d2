import { accountFields } from '../../../core/contract/account.ts';
import { DESCRIPTORS, RESOURCES, type Resource } from '../../../core/contract/resources.ts';
import type {
  Fields,
  ObjectRules,
  OperatorContract,
  ResourceRules,
} from '../../../core/operator/contract.ts';
import { inside } from '../../../core/operator/finding.ts';
import type { ReadInterface, ReadResource } from '../openapi/operations.ts';
import type { ReadMembers, ReadValue } from '../openapi/reading.ts';
import { shapeOf, typesOf } from '../../../core/operator/resource-fields.ts';
import { listed } from '../../../core/operator/words.ts';
import { usableTypes } from './added.ts';
import { compareMembers, sorted, type ContractComparison } from './members.ts';

/** What the document demands of each resource beyond the interface. */
export function compareWithInterface(
  { resources }: ReadInterface,
  comparison: ContractComparison,
): OperatorContract['resources'] {
  const compared = RESOURCES.flatMap((resource): [Resource, ResourceRules][] => {
    const read = resources.get(resource);
    return read ? [[resource, resourceRules(resource, read, comparison)]] : [];
  });
  return Object.fromEntries(compared) as OperatorContract['resources'];
}

function resourceRules(
  resource: Resource,
  read: ReadResource,
  comparison: ContractComparison,
): ResourceRules {
  const { from, account, record, maxRecords, dryRun, query = {} } = read;
  const where = { resource, type: null, field: '' };
  const { findings } = comparison;
  const members: ReadMembers = { fields: account, others: 'any' };
  const accountRules = compareMembers(accountFields, members, where, comparison);
  if (maxRecords !== undefined)
    findings.add('tightens', where, `a request has at most ${maxRecords} records`, from);
  const isTrueByDefault = dryRun?.value?.isTrueByDefault === true;
  const isSaid = dryRun !== undefined && (dryRun.isRequired || isTrueByDefault);
  if (dryRun)
    findings.add('adds', inside(where, 'dry_run'), 'asks to validate and to store nothing', dryRun.from);
  if (isSaid) {
    const why = isTrueByDefault ? 'is true by default' : 'is required';
    findings.add(
      'tightens',
      inside(where, 'dry_run'),
      `${why}, so every push says that it is false`,
      dryRun.from,
    );
  }
  return {
    from: record?.from ?? from,
    ...(Object.keys(accountRules).length > 0 && { account: accountRules }),
    ...(maxRecords !== undefined && { max_records: maxRecords }),
    ...(dryRun && { dry_run: { from: dryRun.from, ...(isSaid && { required: true }) } }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(record && recordRules(resource, record, comparison)),
  };
}

function recordRules(
  resource: Resource,
  record: ReadValue,
  comparison: ContractComparison,
): Omit<ObjectRules, 'from'> {
  const { typeField } = DESCRIPTORS[resource];
  const { findings } = comparison;
  const where = { resource, type: null, field: '' };
  const types = typesOf(resource);
  if (record.types && record.types.by !== typeField) {
    const says = `its records are told apart by \`${record.types.by}\`, and not so in the interface: nothing of them is applied`;
    findings.add('not_understood', where, says, record.from);
    return {};
  }
  if (!record.members) {
    findings.add(
      'not_understood',
      where,
      'the records are not objects: nothing of them is applied',
      record.from,
    );
    return {};
  }
  if (typeField === null || (types.length === 0 && !record.types))
    return withFields(compareMembers(shapeOf(resource, null), record.members, where, comparison));

  const by = typeField;
  const all = types.length > 0 ? types : [...record.types!.of.keys()];
  const usable = record.types && usableTypes(record.types, where, findings);
  const described = usable ? all.filter((type) => usable.includes(type)) : all;
  const unknown = record.types ? [...record.types.of.keys()].filter((type) => !all.includes(type)) : [];
  if (unknown.length > 0)
    findings.add(
      'loosens',
      inside(where, by),
      `has types that the interface does not have: ${listed(unknown)}`,
      record.from,
    );
  const of = described.map((type): [string, ObjectRules] => {
    const value = record.types?.of.get(type) ?? record;
    const at = { ...where, type };
    const shape = shapeOf(resource, type);
    const fields = compareMembers(
      shape,
      value.members ?? record.members!,
      at,
      comparison,
      record.types && by,
    );
    return [type, { from: value.from, fields }];
  });
  const isNarrower = record.types !== undefined && (described.length < all.length || types.length === 0);
  if (isNarrower) findings.add('tightens', inside(where, by), `only ${listed(described)}`, record.from);
  const { fields, types: rest } = hoisted(by, of);
  return {
    ...withFields(isNarrower ? { ...fields, [by]: { from: record.from, values: described } } : fields),
    ...(rest && { types: rest }),
  };
}

function withFields(fields: Fields = {}): Pick<ObjectRules, 'fields'> {
  return Object.keys(fields).length > 0 ? { fields: sorted(fields) } : {};
}

/** Fields with the same rules in every type, and the fields that differ. */
function hoisted(
  by: string,
  of: readonly (readonly [string, ObjectRules])[],
): Pick<ObjectRules, 'fields' | 'types'> {
  const [first, ...others] = of.map(([, { fields = {} }]) => fields);
  const shared = Object.entries(first ?? {}).filter(([name, rules]) =>
    others.every((fields) => JSON.stringify(fields[name]) === JSON.stringify(rules)),
  );
  const isShared = new Set(shared.map(([name]) => name));
  const rest = of.flatMap(([type, { from, fields = {} }]): [string, ObjectRules][] => {
    const own = Object.entries(fields).filter(([name]) => !isShared.has(name));
    return own.length > 0 ? [[type, { from, fields: sorted(Object.fromEntries(own)) }]] : [];
  });
  return {
    fields: Object.fromEntries(shared),
    ...(rest.length > 0 && {
      types: { by, of: Object.fromEntries(rest.toSorted(([a], [b]) => (a < b ? -1 : 1))) },
    }),
  };
}
