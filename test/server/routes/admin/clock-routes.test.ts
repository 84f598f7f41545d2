import { describe, expect, test } from 'vitest';
import { admin } from '../../../support/server-admin.ts';
import { ACCOUNT, charge, problemsOf, START, startPlatform } from '../../../support/server-platform.ts';

describe('/_local/clock', () => {
  test('shows the time of the platform and the mode of the clock', async () => {
    const platform = await startPlatform();
    expect((await admin(platform, 'GET clock')).body).toEqual({
      now: '2026-03-15T12:00:00.000Z',
      mode: 'real',
    });
    expect((await admin(platform, 'POST clock/freeze')).body.mode).toBe('frozen');
    platform.clock.nowMs += 60_000;
    expect((await admin(platform, 'GET clock')).body.now).toBe('2026-03-15T12:00:00.000Z');
    expect((await admin(platform, 'POST clock/set', { now: '2026-05-01T08:00:00+02:00' })).body).toEqual({
      now: '2026-05-01T06:00:00.000Z',
      mode: 'frozen',
    });
    expect((await admin(platform, 'POST clock/advance', { seconds: 90 })).body.now).toBe(
      '2026-05-01T06:01:30.000Z',
    );
    expect((await admin(platform, 'POST clock/resume')).body).toEqual({
      now: '2026-03-15T12:01:00.000Z',
      mode: 'real',
    });
  });

  test('decides which dates are in the future', async () => {
    const platform = await startPlatform();
    const tomorrow = { ...ACCOUNT, transactions: [charge({ transaction_date: '2026-03-16' })] };
    expect((await platform.post('createTransactions', tomorrow)).status).toBe(400);
    await admin(platform, 'POST clock/advance', { seconds: 24 * 3_600 });
    expect((await platform.post('createTransactions', tomorrow)).status).toBe(201);
  });

  test('decides when a note without created_at was created', async () => {
    const platform = await startPlatform();
    const set = await admin(platform, 'POST clock/set', { now: '2026-04-01T00:00:00Z' });
    expect(set.body.mode).toBe('shifted');
    const answer = await platform.post('createNotes', { ...ACCOUNT, notes: [{ body: 'x' }] });
    expect(answer.body[0].created_at).toBe('2026-04-01T00:00:00Z');
  });

  test('ends tokens that real time would leave valid', async () => {
    const platform = await startPlatform();
    const headers = { authorization: `Token ${await platform.token()}` };
    const ask = async () =>
      (await platform.request('GET', '/v1/data-import/all-account-import-processes/ACME/', { headers }))
        .status;
    expect(await ask()).toBe(200);
    await admin(platform, 'POST clock/advance', { seconds: 3_601 });
    expect(await ask()).toBe(401);
    await admin(platform, 'POST clock/resume');
    expect(await ask(), 'the token is good again at the time it was made for').toBe(200);
  });

  test('does not change the start time of the server', async () => {
    const platform = await startPlatform();
    await admin(platform, 'POST clock/set', { now: '2027-01-01T00:00:00Z' });
    expect((await admin(platform, 'GET health')).body.started_at).toBe(START);
  });

  test.each([
    ['set', {}, 'required', 'now'],
    ['set', { now: 'tomorrow' }, 'invalid', 'now'],
    ['set', { now: '2026-05-01T08:00:00' }, 'invalid', 'now'],
    ['set', { now: '1969-12-31T23:59:59Z' }, 'invalid', 'now'],
    ['set', { now: '2200-01-01T00:00:00Z' }, 'invalid', 'now'],
    ['set', { now: START, zone: 'UTC' }, 'unexpected_field', 'zone'],
    ['advance', { seconds: 0 }, 'invalid', 'seconds'],
    ['advance', { seconds: -5 }, 'invalid', 'seconds'],
    ['advance', { seconds: 1.5 }, 'invalid', 'seconds'],
    ['advance', { seconds: '5' }, 'invalid', 'seconds'],
    ['advance', { seconds: 1e15 }, 'invalid', 'seconds'],
  ])('%s refuses %j and changes nothing', async (verb, body, code, attr) => {
    const platform = await startPlatform();
    const answer = await admin(platform, `POST clock/${verb}`, body);
    expect([answer.status, ...problemsOf(answer)]).toEqual([400, [code, attr]]);
    expect((await admin(platform, 'GET clock')).body.mode).toBe('real');
  });

  test('cannot leave the years from 1970 to 2199', async () => {
    const platform = await startPlatform();
    await admin(platform, 'POST clock/set', { now: '2199-12-31T23:59:00Z' });
    expect((await admin(platform, 'POST clock/advance', { seconds: 59 })).status).toBe(200);
    const answer = await admin(platform, 'POST clock/advance', { seconds: 1 });
    expect([answer.status, ...problemsOf(answer)]).toEqual([400, ['invalid', 'seconds']]);
  });
});
