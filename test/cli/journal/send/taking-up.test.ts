import { describe, expect, test } from 'vitest';
import type { Platform, PlatformAnswer } from '../../../../src/cli/push/ports/platform.ts';
import { assertProven } from '../../../../src/cli/journal/read/consistency.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, NOW, reopened, stagedRun, takenUp } from '../../../support/push-staged-run.ts';
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
});

describe('with --again', () => {
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
