import { expect, test } from 'vitest';
import { changesOf } from '../../../src/cli/parity/changed-value.ts';

test.each([
  ['12.30', '12.34', ['rounded to 1 decimal', 'cut to 1 decimal']],
  ['13.00', '12.96', ['rounded to 1 decimal', 'rounded to 0 decimals']],
  ['12.90', '12.99', ['cut to 1 decimal']],
  ['-12.90', '-12.99', ['cut to 1 decimal']],
  ['12.00', '12.99', ['cut to 0 decimals']],
  ['12.35', '12.34', []],
  ['12.50', '12.5', []],
  ['99', '12.34', []],
  ['MOVED IN', 'Moved in', ['in upper case']],
  ['moved in', 'Moved in', ['in lower case']],
  ['moved In', 'Moved in', []],
  ['Moved', 'Moved in', ['cut at 5 characters']],
  ['Move', 'Moved in', ['cut at 4 characters']],
  ['Other', 'Moved in', []],
  ['', 'Moved in', []],
  ['Moved in!', 'Moved in', []],
])('%j of %j is %j', (value, sent, changes) => {
  expect(changesOf(value, sent, false)).toEqual(changes);
});

test.each([
  ['17.00', '12.96', ['zeros after 1 decimal', 'zeros after 0 decimals']],
  ['QXZ KL', 'Abcdef', []],
  ['QXZAB KL', 'Movxe in', ['in upper case']],
  ['QXZAB', 'KLMNO', []],
  ['Moved x', 'Moved inside', ['cut at 7 characters']],
  ['Mov', 'Moved inside', []],
])('in a disguise %j of %j is %j by its form', (value, sent, changes) => {
  expect(changesOf(value, sent, true)).toEqual(changes);
});
