import { DESCRIPTORS, type Resource } from '../../../core/contract/resources.ts';

/** Headers that suppliers use for the account, in English, German and Japanese, separated by `, `. */
const ACCOUNT = {
  import_supplier: 'supplier, supplier code, lieferant, versorger, 供給者, 供給会社',
  external_account_number:
    'customer, customer account no, kunde, account, account number, account no, account id, account reference, account ref, acct, acct no, ' +
    'customer number, customer no, customer id, customer account, contract account, supply account, ' +
    'kundennummer, kundennr, kunden nr, kdnr, konto, kontonummer, vertragskonto, vertragskontonummer, ' +
    'vertragskonto nr, vkont, vertragsnummer, お客様番号, お客さま番号, 顧客番号, 契約番号, 需要家番号',
};

/** Headers that suppliers use, for each field of a resource and of its account. */
export function headerTerms(resource: Resource): Readonly<Record<string, readonly string[]>> {
  const terms = Object.entries({ ...ACCOUNT, ...DESCRIPTORS[resource].headerTerms });
  return Object.fromEntries(terms.map(([field, names]) => [field, names.split(', ')]));
}

/**
 * A name without the differences between two ways to write it: case, width, umlauts, spaces and marks, a unit in brackets, a
 * currency behind it.
 */
export function normalName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[([].*?[)\]]/g, ' ')
    .replaceAll(/\b(in )?(eur|gbp|aud|usd|chf|jpy)\b|[€£¥$]/g, ' ')
    .replaceAll('ß', 'ss')
    .replaceAll(/([aou])\u0308?e(?=[^aeiou])/g, '$1')
    .normalize('NFKD')
    .replaceAll(/(?<=[a-z])\p{M}/gu, '')
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
