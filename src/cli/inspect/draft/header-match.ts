import { ACCOUNT_FIELDS } from '../../../core/contract/account.ts';
import { DESCRIPTORS, RESOURCES, type Descriptors, type Resource } from '../../../core/contract/resources.ts';
import { fieldNames } from '../../mapping/language/fields.ts';
import type { ColumnProfile } from '../column/column-profile.ts';
import type { FileProfile } from '../inspect-file.ts';

/** The columns that each field may come from, all of one field recognised in the same way. */
export type Matches = ReadonlyMap<string, readonly [ColumnProfile, ...ColumnProfile[]]>;

/**
 * The columns that may feed each field, by their headers; `debit` and `credit` count as fields. A column belongs to the field
 * for which its header is the surest sign, and of equally sure fields to the first. The path of a statement is known by its values, too.
 */
export function matchColumns(
  resource: Resource,
  columns: readonly ColumnProfile[],
  descriptors?: Descriptors,
): Matches {
  const terms = headerTerms(resource);
  const fields = [...new Set([...fieldNames(resource, descriptors), ...Object.keys(terms)])];
  const normals = new Map(columns.map((column) => [column, normalName(column.name)]));
  const taken = new Set<ColumnProfile>();
  const matches = new Map<string, readonly [ColumnProfile, ...ColumnProfile[]]>();
  const match = (namesOf: (field: string) => readonly string[]): void => {
    for (const field of fields.filter((each) => !matches.has(each))) {
      const names = new Set(namesOf(field).map(normalName));
      const [first, ...others] = columns.filter(
        (column) => column.name && !taken.has(column) && names.has(normals.get(column)!),
      );
      if (first) matches.set(field, [first, ...others]);
    }
    for (const column of [...matches.values()].flat()) taken.add(column);
  };
  match((field) => [field]);
  match((field) => terms[field] ?? []);
  const paths = columns.filter(({ kinds }) => kinds[0]?.kind === 'PDF path').map(({ name }) => name);
  match((field) => (field === 'statement_path' ? paths : []));
  return matches;
}

/** The field whose value occurs once for each record; null when the resource has none. */
export function keyField(resource: Resource): string | null {
  const { idField, repetition } = DESCRIPTORS[resource];
  return repetition.isKeyedById ? idField : null;
}

/** Headers that suppliers use for the account, in the languages of `headerTerms`, separated by `, `. */
const ACCOUNT = {
  import_supplier:
    'supplier, supplier code, lieferant, versorger, 供給者, 供給会社, ' +
    'leverancier, leverancierscode, fournisseur, code fournisseur, comercializadora, ' +
    'código de comercializadora, fornitore, codice fornitore, dostawca, kod dostawcy',
  external_account_number:
    'customer, customer account no, kunde, account, account number, account no, account id, account reference, account ref, acct, acct no, ' +
    'customer number, customer no, customer id, customer account, contract account, supply account, ' +
    'kundennummer, kundennr, kundenkonto, kunden nr, kdnr, konto, kontonummer, vertragskonto, vertragskontonummer, ' +
    'vertragskonto nr, vkont, vertragsnummer, お客様番号, お客さま番号, 顧客番号, 契約番号, 需要家番号, ' +
    'klantnummer, klantnr, debiteurnummer, debiteurennummer, contractnummer, numéro client, ' +
    'numéro de client, n° client, numéro de compte, n° de compte, n° compte, code client, compte client, numéro de contrat, número de cliente, ' +
    'nº cliente, código de cliente, número de contrato, numero cliente, codice cliente, n. cliente, ' +
    'numero contratto, nr konta, numer konta, numer klienta, nr klienta, kod klienta, numer umowy, nr umowy',
};

/** Headers that suppliers use, for each field of a resource and of its account. */
function headerTerms(resource: Resource): Readonly<Record<string, readonly string[]>> {
  const terms = Object.entries({ ...ACCOUNT, ...DESCRIPTORS[resource].headerTerms });
  return Object.fromEntries(terms.map(([field, names]) => [field, names.split(', ')]));
}

/** Whether a header has letters that are not Latin. */
export const isForeign = (name: string): boolean => /(?!\p{Script=Latin})\p{L}/u.test(name);

const MINOR_UNIT =
  /(?<!\p{L})(?:in )?(?:cents?|pence|minor(?:[ _-]units?)?|centimes?|céntimos?|centesimi)(?!\p{L})/giu;

/** Whether a header says that its numbers are minor units. */
export const namesMinorUnit = (name: string): boolean => name.search(MINOR_UNIT) >= 0;

/** Whether a header says that its numbers are amounts of energy, as of the zones of a tariff. */
export const namesEnergy = (name: string): boolean => /(?<!\p{L})[km]wh(?!\p{L})/iu.test(name);

/**
 * A name without the differences between two ways to write it: case, width, umlauts, spaces and marks, a unit in brackets, a
 * currency or the word for a minor unit behind it, and words that are often cut off.
 */
function normalName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .replaceAll(/(?<![a-z])(?:trans|txn)(?![a-z])/g, 'transaction')
    .replaceAll(/(?<![a-z])cust(?![a-z])/g, 'customer')
    .replaceAll(/[([].*?[)\]]/g, ' ')
    .replaceAll(/\b(in )?(eur|gbp|aud|usd|chf|jpy)\b|[€£¥$]/g, ' ')
    .replaceAll(MINOR_UNIT, ' ')
    .replaceAll('ß', 'ss')
    .replaceAll(/([aou])\u0308?e(?=[^aeiou])/g, '$1')
    .normalize('NFKD')
    .replaceAll(/(?<=[a-z])\p{M}/gu, '')
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * The resource whose fields the headers name most. Undefined when two are named as often, or hardly any is. `isOfInterface`: the file
 * needs no mapping, because the reader takes its layout as it is, and its names and dates are those of the interface or the contract.
 */
export function likelyResource(content: FileProfile, descriptors?: Descriptors) {
  const { columns, encoding, hasEndMark, layout } = content;
  const scores = RESOURCES.map((resource) => {
    const matches = [...matchColumns(resource, columns, descriptors).keys()].filter(
      (field) => !ACCOUNT_FIELDS.has(field),
    );
    return { resource, fields: matches.length };
  }).toSorted((a, b) => b.fields - a.fields);
  const [first, second] = scores;
  if (!first || first.fields < LEAST || first.fields === second?.fields) return undefined;
  const { resource } = first;
  const names = new Set(fieldNames(resource, descriptors));
  const isCsv = layout.delimiter === ',' && layout.quote !== null && layout.escape !== '\\';
  const isPlain = encoding.name === 'utf-8' && !hasEndMark && layout.header.line === 1;
  const isOfNames = columns.every(
    ({ name, kinds: [most], dates }) =>
      name !== null &&
      names.has(name.split('.')[0]!) &&
      // Dates of another form need a mapping.
      (!most?.kind.startsWith('date') || /^(?:iso$|yyyy-MM-dd)/.test(dates?.formats[0]?.format ?? 'iso')),
  );
  return { resource, isOfInterface: isOfNames && isPlain && (isCsv || layout.isJsonLines) };
}

/** One field may have its name by chance. */
const LEAST = 2;
