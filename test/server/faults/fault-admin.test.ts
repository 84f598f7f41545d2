import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type TestPlatform } from '../../support/server-platform.ts';
import { faultyPlatform, POSTS } from '../../support/server-faults.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

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
    const answer = await put(platform, { seed: 7, rules: [RULE, 'lists accept html'] });
    expect(answer.body).toMatchObject({ armed: true, seed: 7, unused: 2 });
    expect([await sendNotes(platform), await sendNotes(platform)]).toEqual([201, 500]);
    // The payload has arrived three times, and counts anew after each change of the rules.
    for (const status of [503, 502]) {
      await put(platform, { rules: [`notes accept status=${status} attempt=2`] });
      expect([await sendNotes(platform), await sendNotes(platform)]).toEqual([201, status]);
    }
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
    ['no object', '7', 'validation_error', 'validation'],
    ['no rules', '{}', 'validation_error', 'validation'],
    ['a rule that is no text', '{"rules":[{"on":"any"}]}', 'validation_error', 'validation'],
    ['a wrong rule', '{"rules":["notes accept rest"]}', 'seed_invalid', 'did you mean `reset`?'],
    [
      'several wrong rules',
      '{"rules":["notes accept rest","any accept stall","any accept"]}',
      'seed_invalid',
      'the faults are wrong: rule 1: there is no `rest`; did you mean `reset`?; rule 3: it does not say what happens',
    ],
    ['a crash', '{"rules":["any accept crash"]}', 'seed_invalid', 'only `dataimport serve` can crash'],
  ])('PUT of %s is refused and changes nothing', async (_, body, code, detail) => {
    const platform = await faultyPlatform([RULE]);
    const answer = await platform.request('PUT', '/_local/faults', { body });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.detail).toContain(detail);
    expect((await platform.request('GET', '/_local/faults')).body.rules).toHaveLength(1);
  });
});

test('a rule that is there at the end and was never hit is reported', async () => {
  const platform = await faultyPlatform([RULE, 'notes accept stall nth=99']);
  await sendNotes(platform);
  await put(platform, { rules: ['notes accept status=503', 'any accept stall nth=9'] });
  await sendNotes(platform);
  expect(platform.faults.unused()).toEqual(['any accept stall nth=9']);
});

test('a header says that faults are active, as long as a rule can fire', async () => {
  const header = async () =>
    (await platform.request('GET', '/_local/health')).headers.get('x-dataimport-fault');
  const platform = await faultyPlatform(['notes accept status=500 times=1']);
  expect(await header()).toBe('armed');
  const answer = await platform.post('createNotes', POSTS.notes.payload);
  expect([answer.status, answer.headers.get('x-dataimport-fault')]).toEqual([500, 'armed']);
  expect(await header()).toBeNull();
});

test('a platform inside another program refuses to crash it', async () => {
  await expect(faultyPlatform(['any accept crash'])).rejects.toMatchObject({ code: 'seed_invalid' });
});

test('a wrong rule is refused before the database is opened', async () => {
  const database = join(temporaryFolder(), 'missing', 'serve.sqlite');
  await expect(faultyPlatform(['any accept'], { database })).rejects.toMatchObject({ code: 'seed_invalid' });
});
