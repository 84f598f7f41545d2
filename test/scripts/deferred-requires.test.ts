import { describe, expect, test } from 'vitest';
import { withDeferredRequires } from '../../scripts/deferred-requires.ts';

/** Runs a file of a bundle; what it loads says so. */
function run(code: string): { readonly loaded: readonly string[]; readonly result?: unknown } {
  const loaded: string[] = [];
  const require = (name: string) => {
    loaded.push(name);
    return {
      value: name,
      Made: class {
        of = name;
      },
      make: () => name,
    };
  };
  const runtime = { __toESM: (module: object) => ({ default: module }) };
  const exports = {};
  const body = withDeferredRequires(code);
  // oxlint-disable-next-line no-implied-eval -- what is tested is code
  new Function('require', 'require_rolldown_runtime', 'exports', body)(require, runtime, exports);
  return { loaded, ...exports };
}

describe('a module that a file of the bundle needs', () => {
  test('is loaded when it is first used, once', () => {
    const code =
      'const a = require("./a.js");\nlet b = require("node:b");\nconst use = () => a.value + a.value;\n';
    expect(run(code)).toEqual({ loaded: [] });
    expect(run(`${code}exports.result = [use(), use()];`)).toEqual({
      loaded: ['./a.js'],
      result: ['./a.js./a.js', './a.js./a.js'],
    });
  });

  test('may be called, made an object of and destructured from, and be of another kind', () => {
    const code =
      'let c = require("node:c");\nc = require_rolldown_runtime.__toESM(c, 1);\nconst d = require("./d.js");\n' +
      'const { value } = d.make.call ? { value: d.value } : {};\n' +
      'exports.result = [(0, d.make)(), new d.Made().of, new c.default.Made("é").of, value, { d: 1, "a.d": d.value }, `${d.value}`];';
    expect(run(code)).toEqual({
      loaded: ['./d.js', 'node:c'],
      result: ['./d.js', './d.js', 'node:c', './d.js', { d: 1, 'a.d': './d.js' }, './d.js'],
    });
  });

  test('that is used as a whole is refused: what is done with it cannot be put off', () => {
    expect(() => withDeferredRequires('const a = require("./a.js");\nconst all = { ...a };')).toThrow(
      'a is used as a whole',
    );
  });

  test('is left as it is when it is loaded for its effects, and the runtime of the bundle, too', () => {
    const code = 'const require_rolldown_runtime = require("./runtime.js");\nrequire("./effects.js");\n';
    expect(withDeferredRequires(code)).toBe(code);
  });
});
