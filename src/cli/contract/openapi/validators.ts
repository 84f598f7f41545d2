import { memberOf, membersOf, type Located, pointerOf } from '../../../core/operator/located.ts';
import { isJsonObject } from '../../../core/values/plain-json.ts';
import { RESOURCES } from '../../../core/contract/resources.ts';
import { type Where } from '../finding.ts';

import type { Reading } from './reading.ts';

/** Where the words of a validator or of an error are, the best first. */
const WORDS = ['title', 'detail', 'message', 'description', 'summary', 'name'];

const CODE = /^[A-Za-z]\w{0,127}$/;

/** Reads the rules that `x-validators` of a schema or an operation names, by the codes of their errors. */
export function readValidators(holder: Located, reading: Reading, where: Where): void {
  for (const validator of membersOf(memberOf(holder, 'x-validators'))) {
    const title = isJsonObject(validator.value) ? wordsOf(validator.value) : '';
    const errors = membersOf(memberOf(validator, 'possible_errors'));
    if (errors.length === 0) {
      const words = title === '' ? '' : `: ${title}`;
      const says = `a validator without \`possible_errors\` has no code to know it by${words}`;
      reading.findings.add('not_understood', where, says, validator.path);
    }
    for (const { value, key, path } of errors) {
      const named = typeof value === 'string' ? value : isJsonObject(value) ? (value['code'] ?? key) : key;
      if (typeof named !== 'string' || !CODE.test(named)) {
        reading.findings.add('not_understood', where, 'a possible error has no code', path);
        continue;
      }
      const own = isJsonObject(value) ? wordsOf(value) : '';
      const before = reading.rules.get(named);
      reading.rules.set(named, {
        code: named,
        title: before?.title || own || title,
        from: before?.from ?? pointerOf(path),
        resources: RESOURCES.filter((each) => each === where.resource || before?.resources?.includes(each)),
      });
    }
  }
}

/** The document's own words: one line of at most 200 characters. */
function wordsOf(value: Readonly<Record<string, unknown>>): string {
  for (const name of WORDS) {
    const words = value[name];
    if (typeof words === 'string' && words.trim() !== '')
      return [...words.trim().replaceAll(/\s+/g, ' ')].slice(0, 200).join('');
  }
  return '';
}
