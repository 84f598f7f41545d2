import { isJsonObject } from '../../values/plain-json.ts';
import type { Where } from '../finding.ts';
import { memberOf, membersOf, pointerOf, type Located } from './document.ts';
import type { Reading } from './reading.ts';

const CODE = /^[A-Za-z]\w{0,127}$/;

/** Reads the rules that `x-validators` of a schema or an operation names, by the codes of their errors. */
export function readValidators(holder: Located, reading: Reading, where: Where): void {
  for (const validator of membersOf(memberOf(holder, 'x-validators'))) {
    const title = isJsonObject(validator.value) ? wordsOf(validator.value) : '';
    const errors = membersOf(memberOf(validator, 'possible_errors'));
    if (errors.length === 0) {
      const says = 'a validator without `possible_errors` has no code to know it by';
      reading.findings.add('not_understood', where, says, pointerOf(validator.path));
    }
    for (const { value, key, path } of errors) {
      const named = typeof value === 'string' ? value : isJsonObject(value) ? (value['code'] ?? key) : key;
      if (typeof named !== 'string' || !CODE.test(named)) {
        reading.findings.add('not_understood', where, 'a possible error has no code', pointerOf(path));
        continue;
      }
      const own = isJsonObject(value) ? wordsOf(value) : '';
      const before = reading.rules.get(named);
      if (!before || (before.title === '' && (own || title) !== ''))
        reading.rules.set(named, { code: named, title: own || title, from: before?.from ?? pointerOf(path) });
    }
  }
}

/** The document's own words: one line of at most 200 characters. */
function wordsOf(value: Readonly<Record<string, unknown>>): string {
  for (const name of ['title', 'detail', 'message', 'description', 'summary', 'name']) {
    const words = value[name];
    if (typeof words === 'string' && words.trim() !== '')
      return [...words.trim().replaceAll(/\s+/g, ' ')].slice(0, 200).join('');
  }
  return '';
}
