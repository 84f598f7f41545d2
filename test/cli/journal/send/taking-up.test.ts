import { describe, expect, test } from 'vitest';
import type { Platform, PlatformAnswer } from '../../../../src/cli/push/ports/platform.ts';
import { assertProven } from '../../../../src/cli/journal/read/consistency.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { choiceWith, csvFrom, NOW, reopened, stagedRun, takenUp } from '../../../support/push-staged-run.ts';
import { Versions } from '../../../support/versions.ts';

const ID = {
  notes: 'body',
  transactions: 'transaction_id',
  statements: 'statement_id',
  'payment-instructions': 'reference',
} as const;

type Json = Readonly<Record<string, unknown>>;

/** A platform that refuses the records whose ids are in `refused`. */
function refusing(resource: Resource, ids: readonly string[], status = 400) {
  const inner = new FakePlatform(resource);
  const refused = new Set(ids);
  const sent: string[] = [];
  const platform: Platform = {
    async send(request): Promise<PlatformAnswer> {
      const body = JSON.parse(request.body!) as Json;
      const records = (body[resource] ?? [body]) as readonly Json[];
      const names = records.map((record) => String(record[ID[resource]]));
      sent.push(...names);
      const at = names.findIndex((name) => refused.has(name));
      if (at < 0) return inner.send(request);
      if (status === 404) return answer(404, { detail: 'No such account.', code: 'account_not_found' });
      if (resource === 'payment-instructions') return answer(400, { error_detail: 'No.', ...body });
      const errors = [{ detail: 'No.', code: 'invalid', attr: `${resource}.${at}.non_field_errors` }];
      return answer(400, { detail: 'x', code: 'validation_error', errors });
    },
  };
  return { platform, inner, refused, sent };
}

describe('refused records of a run that is taken up', () => {
  test('are sent again, with the records behind them, and the refusal is forgotten once they arrive', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 A:3 B:4'));
    const { platform, inner, refused } = refusing('transactions', ['2']);
    const first = await drained(run, platform, { onReject: 'skip' });
    expect(first.report.rows).toMatchObject({ created: 3, rejected: 1 });
    expect(first.report.problemsTotal).toBe(1);
    run.close();

    refused.clear();
    const again = reopened(folder);
    expect(again.report().rows).toMatchObject({ created: 3, rejected: 0, not_sent: 1 });
    expect(again.report().problemsTotal).toBe(0);
    const second = await drained(again, platform);
    expect(second.report.rows).toMatchObject({ read: 4, created: 4, rejected: 0 });
    expect(second.report.problemsTotal).toBe(0);
    expect(inner.contents()).toEqual({ A: ['1', '3', '2'], B: ['4'] });
    assertProven(again.db);
  });

  test('are refused once more, and reported once', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3'));
    const { platform, sent } = refusing('transactions', ['2']);
    const first = await drained(run, platform, { onReject: 'skip' });
    run.close();
    const again = reopened(folder);
    const second = await drained(again, platform, { onReject: 'skip' });
    expect(second.report.rows).toEqual(first.report.rows);
    expect(second.report.problems.map(({ line, code }) => [line, code])).toEqual([[3, 'invalid']]);
    expect(sent.filter((id) => id === '2')).toHaveLength(2);
    assertProven(again.db);
  });

  test('stop the command again when it is to stop at refusals', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3'));
    const { platform, refused } = refusing('transactions', ['1']);
    await drained(run, platform, { concurrency: 1 });
    run.close();
    const again = reopened(folder);
    expect((await drained(again, platform, { concurrency: 1 })).end.kind).toBe('refused');
    again.close();
    refused.clear();
    const whole = await drained(reopened(folder), platform);
    expect(whole.report.rows).toMatchObject({ created: 3, rejected: 0, not_sent: 0 });
  });
});

describe('a payment instruction that was refused', () => {
  const rowsAfter = async (status: number) => {
    const csv = csvFrom('payment-instructions', 'A:1 B:2');
    const { run, folder } = await stagedRun('payment-instructions', csv, {
      limits: { records: 1, bytes: 1_000_000 },
    });
    const { platform, sent, refused } = refusing('payment-instructions', ['2'], status);
    const before = await drained(run, platform, { onReject: 'skip' });
    expect(before.report.rows).toMatchObject({ created: 1, rejected: 1 });
    run.close();
    refused.clear();
    const again = reopened(folder);
    const { report } = await drained(again, platform);
    assertProven(again.db);
    return { rows: report.rows, sent, problems: report.problemsTotal };
  };

  test('with 400 is not sent again in the same form', async () => {
    const { rows, sent, problems } = await rowsAfter(400);
    expect([rows.created, rows.rejected, problems]).toEqual([1, 1, 1]);
    expect(sent).toEqual(['1', '2']);
  });

  test('with 404 is sent again, because its account was missing', async () => {
    const { rows, problems } = await rowsAfter(404);
    expect([rows.created, rows.rejected, problems]).toEqual([2, 0, 0]);
  });
});

describe('payment instructions that the platform has already, beside one that it refuses', () => {
  /** The ids that a command sends again after a choice, and how many records each outcome has then. */
  const sentAfter = async (onExisting: 'accept' | 'reject') => {
    const resource = 'payment-instructions';
    const limits = { records: 1, bytes: 1_000_000 };
    const sent: unknown[] = [];
    const platform: Platform = {
      async send({ body: text }): Promise<PlatformAnswer> {
        const body = JSON.parse(text!) as Json;
        const { reference } = body;
        sent.push(reference);
        const code = reference === '3' ? '' : ' (payment_instruction_already_active)';
        return answer(400, { error_detail: `No.${code}`, ...body });
      },
    };
    const { run, folder } = await stagedRun(resource, csvFrom(resource, 'A:1 B:2 C:3'), { limits });
    const before = await drained(run, platform, { onReject: 'skip' });
    expect(before.report.rows).toMatchObject({ read: 3, rejected: 3 });
    run.close();
    sent.length = 0;
    const again = reopened(folder, { choice: choiceWith({ onExisting }) });
    const { report } = await drained(again, platform, { onReject: 'skip' });
    assertProven(again.db);
    return [sent, report.rows.uncompared, report.rows.rejected];
  };

  test('are sent once more when what exists is accepted, and the refused one is not', async () => {
    expect(await sentAfter('accept')).toEqual([['1', '2'], 2, 1]);
  });

  test('are not sent again otherwise', async () => {
    expect(await sentAfter('reject')).toEqual([[], 0, 3]);
  });
});

describe('what an earlier process had in flight', () => {
  test('is in doubt, sent with the check, and sealed as lost', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3'), {
      options: { checkPreviouslyAdded: false },
    });
    const operations = run.draining(() => NOW);
    const batch = (await operations.claimNext(1))!;
    expect(batch.inDoubt).toBe(false);
    run.close();
    const again = reopened(folder);
    expect(again.report().rows).toMatchObject({ unknown: 2, not_sent: 1 });
    expect(again.report().requests.byStatus).toEqual({ lost: 1 });
    assertProven(again.db);
    const platform = new FakePlatform('transactions');
    const { report } = await drained(again, platform);
    expect(platform.received.map(({ path }) => path.includes('check_previously_added=false'))).toEqual([
      false,
      true,
    ]);
    expect(report.rows).toMatchObject({ created: 3 });
  });

  test('is none when the run is taken up in the same process', async () => {
    const { run } = await stagedRun('notes', csvFrom('notes', 'A:1'));
    const { links } = run.report().chain;
    takenUp(run);
    expect(run.report().chain.links).toBe(links);
  });
});

describe('the choices of a command', () => {
  test('replace those of the one before, and its end is forgotten', async () => {
    const { run } = await stagedRun('notes', csvFrom('notes', 'A:1'));
    run.recordEnd({ exit: 'REFUSED', reason: null });
    const choice = choiceWith({ onReject: 'skip', words: ['resume'] });
    takenUp(run, { choice });
    expect([run.choice, run.end]).toEqual([choice, null]);
  });
});

describe('with --again', () => {
  const again = async (resource: Resource, rows: string) => {
    const limits = { records: resource === 'payment-instructions' ? 1 : 2, bytes: 1_000_000 };
    const { run } = await stagedRun(resource, csvFrom(resource, rows), { limits });
    const platform = new FakePlatform(resource);
    await drained(run, platform);
    takenUp(run, { again: true });
    return { run, platform, ...(await drained(run, platform)) };
  };

  test.each([
    ['notes', 'existing'],
    ['transactions', 'existing'],
    ['statements', 'uncompared'],
    ['payment-instructions', 'uncompared'],
  ] as const)(
    'every record of %s is sent again, and the platform says that it has it: %s',
    async (resource, outcome) => {
      const { run, platform, report, end } = await again(resource, 'A:1 B:2 C:3');
      expect(end.kind).toBe('finished');
      expect(report.rows).toMatchObject({ read: 3, [outcome]: 3, created: 0, verify: 0 });
      expect(platform.received).toHaveLength(6);
      expect(Object.values(platform.contents()).flat()).toHaveLength(3);
      assertProven(run.db);
    },
  );

  test('every record is sent without the check for earlier ones where that is off, so that the platform adds it', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'), {
      options: { checkPreviouslyAdded: false },
    });
    const { platform, refused } = refusing('transactions', ['2']);
    const paths: string[] = [];
    const recorded: Platform = {
      send(request) {
        paths.push(request.path);
        return platform.send(request);
      },
    };
    await drained(run, recorded, { onReject: 'skip', concurrency: 1 });
    refused.clear();
    await drained(takenUp(run, { again: true }), recorded, { concurrency: 1 });
    const checks = paths.map((path) => new URLSearchParams(path.split('?')[1]).get('check_previously_added'));
    expect(checks).toEqual(['false', 'false', 'false', 'false']);
  });

  test('records that the platform has lost meanwhile arrive anew', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
    await drained(run, new FakePlatform('transactions'));
    const restored = new FakePlatform('transactions');
    const { report } = await drained(takenUp(run, { again: true }), restored);
    expect(report.rows).toMatchObject({ created: 2 });
    expect(restored.contents()).toEqual({ A: ['1'], B: ['2'] });
  });
});

describe('a doubt that another file meets', () => {
  const LIMITS = { records: 3, bytes: 1_000_000 };

  /** The ids of the requests for account A that another file with one row of it brings about. */
  const sentBy = async (versions: Versions, platform: FakePlatform) => {
    const before = platform.received.length;
    const { ends } = await versions.send('A:9 C:5', { place: '/in/b.csv', limits: LIMITS });
    expect(ends).toEqual(['created', 'created']);
    return platform.received
      .slice(before)
      .filter(({ account }) => account === 'A')
      .map(({ body }) =>
        (JSON.parse(body) as { transactions: Json[] }).transactions.map((each) => each['transaction_id']),
      );
  };

  test.each([
    [1, [['1'], ['9']]],
    [0, [['9']]],
  ])(
    'is settled first in its account, without the refused record %d of its request and without those behind it',
    async (at, sent) => {
      const errors = [{ detail: 'No.', code: 'invalid', attr: `transactions.${at}.non_field_errors` }];
      const refused = answer(400, { detail: 'x', code: 'validation_error', errors });
      const fault = { kind: 'answer', applied: false, answer: refused } as const;
      const platform = new FakePlatform('transactions', { 'A#1': fault });
      const versions = new Versions('transactions', platform);
      const stops = { onReject: 'stop', limits: LIMITS, drain: { concurrency: 1 } } as const;
      await versions.send('A:1 A:2 A:3 B:4', stops);
      expect(await sentBy(versions, platform)).toEqual(sent);
    },
  );

  test('is what a process had in flight when it died', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3'));
    await run.draining(() => NOW).claimNext(1);
    run.close();
    const platform = new FakePlatform('transactions');
    expect(await sentBy(new Versions('transactions', platform, folder), platform)).toEqual([
      ['1', '2'],
      ['9'],
    ]);
  });
});
