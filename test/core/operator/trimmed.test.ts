import { expect, test } from 'vitest';
import { trimmed } from '../../../src/core/operator/trimmed.ts';
import { parseExactJson } from '../../../src/core/values/exact-json.ts';

test('texts lose their blanks at both ends, at any depth, and nothing else changes', () => {
  const json = '{"a":" x y ","b":[" 1 ",{"c":"\\tz\\n"}],"d":1.50,"e":null,"f":true}';
  expect(JSON.stringify(trimmed(parseExactJson(json)))).toBe(
    '{"a":"x y","b":["1",{"c":"z"}],"d":1.50,"e":null,"f":true}',
  );
});
