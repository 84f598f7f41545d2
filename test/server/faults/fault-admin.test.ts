import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { startPlatform, type TestPlatform } from '../../support/server-platform.ts';
import { faultyPlatform, POSTS } from '../../support/server-faults.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SECRET, UNREADABLE_YAML } from '../../support/unreadable-yaml.ts';

const RULE = 'notes before-commit status=500 nth=2';

function put(platform: TestPlatform, plan: unknown) {
  return platform.request('PUT', '/_local/faults', { body: JSON.stringify(plan) });
}

async function sendNotes(platform: TestPlatform): Promise<number> {
  return (await platform.post('createNotes', POSTS.notes.payload)).status;
}

describe('/_local/faults', () => {
  test('GET shows the rules and how often each was asked and hit', async () => {
    const platform = await faultyPlatform([RULE, 'token accept stall nth=99']);
    await sendNotes(platform);
    await sendNotes(platform);
    expect((await platform.request('GET', '/_local/faults')).body).toEqual({
      armed: true,
      seed: 0,
      rules: [
        { rule: RULE, seen: 2, hits: 1, spent: true },
        { rule: 'token accept stall nth=99', seen: 2, hits: 0, spent: false },
      ],
      unused: 1,
    });
  });

  test('PUT replaces all rules and counts anew, DELETE ends them', async () => {
    const platform = await faultyPlatform(['notes accept status=503']);
    expect(await sendNotes(platform)).toBe(503);
    const answer = await put(platform, {
      seed: 7,
      rules: [RULE, { on: 'lists', when: 'accept', html: true }],
    });
    expect(answer.body).toMatchObject({ armed: true, seed: 7, unused: 2 });
    expect([await sendNotes(platform), await sendNotes(platform)]).toEqual([201, 500]);
    await put(platform, { rules: ['notes accept status=503'] });
    expect(await sendNotes(platform)).toBe(503);
    expect((await platform.request('DELETE', '/_local/faults')).body).toEqual({
      armed: false,
      seed: 0,
      rules: [],
      unused: 0,
    });
    expect(await sendNotes(platform)).toBe(201);
  });

  test.each([
    ['no JSON', '{', 'parse_error', ''],
    ['no object', '7', 'fault_invalid', 'the fault plan is wrong: it must be an object with `rules`'],
    ['no rules', '{}', 'fault_invalid', '`rules` is missing: it must be a list of rules'],
    ['rules that are none', '{"rules":7}', 'fault_invalid', '`rules` must be a list of rules'],
    [
      'a misspelt key',
      '{"rule":[],"rules":[]}',
      'fault_invalid',
      'there is no `rule`; did you mean `rules`?',
    ],
    ['another version', '{"version":2,"rules":[]}', 'fault_invalid', '`version` must be 1'],
    ['a wrong rule', '{"rules":["notes accept rest"]}', 'fault_invalid', 'did you mean `reset`?'],
    ['a wrong object', '{"rules":[{"on":"any"}]}', 'fault_invalid', 'rule 1: `when` is missing'],
    [
      'much that is wrong',
      '{"seed":1.5,"rules":["notes accept rest",{"on":"any","when":"accept","stall":true},null,"any accept"]}',
      'fault_invalid',
      'the fault plan is wrong: `seed` must be a whole number; rule 1: there is no `rest`; did you mean `reset`?; rule 3: it must be a text as `--fault` takes it, or an object with the same keys; rule 4: it does not say what happens',
    ],
    [
      'more than one reads at once',
      JSON.stringify({ rules: Array.from({ length: 13 }, () => 7) }),
      'fault_invalid',
      'rule 10: it must be a text as `--fault` takes it, or an object with the same keys; and 3 more',
    ],
    ['a crash', '{"rules":["any accept crash"]}', 'fault_invalid', 'only `dataimport serve` can crash'],
  ])('PUT of %s is refused and changes nothing', async (_, body, code, detail) => {
    const platform = await faultyPlatform([RULE]);
    const answer = await platform.request('PUT', '/_local/faults', { body });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.detail).toContain(detail);
    expect((await platform.request('GET', '/_local/faults')).body.rules).toHaveLength(1);
  });

  test('accepts JSON only, and no other method', async () => {
    const platform = await startPlatform();
    const form = { 'content-type': 'text/plain' };
    expect((await platform.request('PUT', '/_local/faults', { body: '{}', headers: form })).status).toBe(415);
    const patch = await platform.request('PATCH', '/_local/faults', { body: '{}' });
    expect([patch.status, patch.headers.get('allow')]).toEqual([405, 'DELETE, GET, HEAD, POST, PUT']);
  });

  test('is available whatever the faults are', async () => {
    const platform = await faultyPlatform(['any accept stall']);
    expect((await platform.request('GET', '/_local/health')).status).toBe(200);
    expect((await platform.request('DELETE', '/_local/faults')).status).toBe(200);
    expect(await sendNotes(platform)).toBe(201);
  });
});

describe('a rule that was never hit is reported at the end', () => {
  const unusedAfter = async (...plans: readonly object[]) => {
    const platform = await faultyPlatform([RULE]);
    await sendNotes(platform);
    for (const plan of plans) await put(platform, plan);
    return platform.faults.unused();
  };

  test('also if it came with the start and was removed before it was hit', async () => {
    const platform = await faultyPlatform([RULE, 'notes accept stall nth=99']);
    for (let times = 0; times < 2; times++) await sendNotes(platform);
    await platform.request('DELETE', '/_local/faults');
    await platform.request('DELETE', '/_local/faults');
    expect(platform.faults.unused()).toEqual(['notes accept stall nth=99']);
  });

  test('but not if it came by the admin API and was removed, because its caller has seen the count', async () => {
    expect(await unusedAfter({ rules: ['any accept stall nth=9'] }, { rules: [] })).toEqual([RULE]);
    expect(await unusedAfter({ rules: ['any accept stall nth=9'] })).toEqual([
      RULE,
      'any accept stall nth=9',
    ]);
  });

  test('and only once if it is added again', async () => {
    expect(await unusedAfter({ rules: [RULE] })).toEqual([RULE]);
  });
});

describe('a header says that faults are active', () => {
  const header = async (platform: TestPlatform) =>
    (await platform.request('GET', '/_local/health')).headers.get('x-dataimport-fault');

  test('as long as a rule can fire', async () => {
    const platform = await faultyPlatform(['notes accept status=500 times=1']);
    expect(await header(platform)).toBe('armed');
    const answer = await platform.post('createNotes', POSTS.notes.payload);
    expect([answer.status, answer.headers.get('x-dataimport-fault')]).toEqual([500, 'armed']);
    expect(await header(platform)).toBeNull();
  });

  test('and is missing without faults', async () => {
    expect(await header(await startPlatform())).toBeNull();
  });
});

describe('a plan file', () => {
  const file = (text: string): string => {
    const path = join(temporaryFolder(), 'faults.yaml');
    writeFileSync(path, text);
    return path;
  };

  test('contains rules as texts and as objects, and rules of the options come after them', async () => {
    const plan = file(`version: 1
seed: 42
rules:
  - transactions after-commit reset nth=3
  - { on: any, when: before-commit, status: 503, retry-after: 5, every: 10, times: 4 }
`);
    const platform = await startPlatform({ faults: { file: plan, rules: [RULE] } });
    expect(platform.faults.armed).toEqual([
      'transactions after-commit reset nth=3',
      'any before-commit status=503 retry-after=5 every=10 times=4',
      RULE,
    ]);
    expect((await platform.request('GET', '/_local/faults')).body.seed).toBe(42);
    const other = await startPlatform({ faults: { file: plan, seed: 1 } });
    expect((await other.request('GET', '/_local/faults')).body.seed).toBe(1);
  });

  test.each([
    [
      'rules:\n  - any accept stall\n  - any accept rest\n',
      'rule 2: there is no `rest`; did you mean `reset`? (line 3)',
    ],
    [
      'rules:\n  - on: any\n    when: accept\n    acount: 3\n',
      'rule 1: there is no `acount`; did you mean `account`? (line 2)',
    ],
    ['seeds: 3\nrules: []\n', 'there is no `seeds`; did you mean `seed`?'],
    ['', 'it must be an object with `rules` (line 1)'],
    [
      '# Bad days\nseed: soon\nrules:\n  - any accept rest\n  - any accept stall\n  - on: any\n    when: later\n    stall: true\n',
      'is not a plan of faults: `seed` must be a whole number (line 2); rule 1: there is no `rest`; did you mean `reset`? (line 4); rule 3: `when` must be one of accept, before-commit, after-commit (line 6)',
    ],
    ['{"version": 2,\n"rules": [null]}', '`version` must be 1 (line 1); rule 1: it must be a text'],
  ])('with a problem is refused with the line: %j', async (text, reason) => {
    await expect(startPlatform({ faults: { file: file(text) } })).rejects.toMatchObject({
      code: 'fault_plan_invalid',
      message: expect.stringContaining(reason) as string,
    });
  });

  test.each(UNREADABLE_YAML)('with $what is refused with the line', async ({ text, line, reason }) => {
    const path = file(text);
    const error: unknown = await startPlatform({ faults: { file: path } }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'fault_plan_invalid',
      message: `${path} is not a plan of faults: ${reason} (line ${line})`,
    });
    expect(JSON.stringify(error)).not.toContain(SECRET);
  });

  test('that is missing is named', async () => {
    await expect(startPlatform({ faults: { file: '/nowhere/faults.yaml' } })).rejects.toMatchObject({
      code: 'file_not_readable',
    });
  });

  test('fits the published schema', async () => {
    const platform = await startPlatform();
    const { body: schema } = await platform.request('GET', '/_local/faults/schema');
    const takes = new Ajv2020({ strict: false }).compile(schema as object);
    expect(takes({ version: 1, rules: [RULE, { on: 'any', when: 'accept', stall: true }] })).toBe(true);
    expect(takes({ rules: [{ on: 'any', when: 'accept', stal: true }] })).toBe(false);
    expect(takes({ rule: [] })).toBe(false);
    for (const { description } of Object.values(
      schema.properties.rules.items.anyOf[1].properties as Record<string, { description?: string }>,
    ))
      expect(description).toBeTruthy();
  });
});

test('a platform inside another program refuses to crash it', async () => {
  await expect(faultyPlatform(['any accept crash'])).rejects.toMatchObject({ code: 'fault_invalid' });
});

test('a wrong rule is refused before the database is opened', async () => {
  const database = join(temporaryFolder(), 'missing', 'serve.sqlite');
  await expect(faultyPlatform(['any accept'], { database })).rejects.toMatchObject({ code: 'fault_invalid' });
});
