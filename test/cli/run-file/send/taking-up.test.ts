import { describe, expect, test } from 'vitest';
import type { Platform, PlatformAnswer } from '../../../../src/cli/push/ports/platform.ts';
import type { RunFile } from '../../../../src/cli/run-file/run-file.ts';
import type { Resource } from '../../../../src/core/contract/resources.ts';
import { answer } from '../../../support/push-batch.ts';
import { drained } from '../../../support/push-drained.ts';
import { FakePlatform } from '../../../support/fake-platform.ts';
import { csvFrom, newRun, NOW, reopened, stagedRun, takenUp } from '../../../support/push-staged-run.ts';

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

const expectWholeChain = (run: RunFile): void => expect(run.proving.chain()).toMatchObject({ broken: null });

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
    expectWholeChain(again);
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
    expectWholeChain(again);
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
  const rowsAfter = async (status: number, resendsRefused: boolean) => {
    const csv = csvFrom('payment-instructions', 'A:1 B:2');
    const { run, folder } = await stagedRun('payment-instructions', csv, {
      limits: { records: 1, bytes: 1_000_000 },
    });
    const { platform, sent, refused } = refusing('payment-instructions', ['2'], status);
    const before = await drained(run, platform, { onReject: 'skip' });
    expect(before.report.rows).toMatchObject({ created: 1, rejected: 1 });
    run.close();
    refused.clear();
    const again = reopened(folder, undefined, { resendsRefused });
    const { report } = await drained(again, platform);
    expectWholeChain(again);
    return { rows: report.rows, sent, problems: report.problemsTotal };
  };

  test('with 400 is not sent again in the same form', async () => {
    const { rows, sent, problems } = await rowsAfter(400, false);
    expect([rows.created, rows.rejected, problems]).toEqual([1, 1, 1]);
    expect(sent).toEqual(['1', '2']);
  });

  test('with 400 is sent again by --resend-refused', async () => {
    const { rows, sent, problems } = await rowsAfter(400, true);
    expect([rows.created, rows.rejected, problems]).toEqual([2, 0, 0]);
    expect(sent).toEqual(['1', '2', '2']);
  });

  test('with 404 is sent again, because its account was missing', async () => {
    const { rows, problems } = await rowsAfter(404, false);
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
    const again = reopened(folder, undefined, { choice: newRun({ onExisting }).choice });
    const { report } = await drained(again, platform, { onReject: 'skip' });
    expectWholeChain(again);
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
    expectWholeChain(again);
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
    const { links } = run.history.facts();
    takenUp(run);
    expect(run.history.facts().links).toBe(links);
  });
});

describe('the choices of a command', () => {
  test('replace those of the one before, and its end is forgotten', async () => {
    const { run } = await stagedRun('notes', csvFrom('notes', 'A:1'));
    run.recordEnd({ exit: 'REFUSED', reason: null });
    const { choice } = newRun({ onReject: 'skip', words: ['resume'] });
    takenUp(run, { choice, turn: 7 });
    expect([run.choice, run.turn, run.end]).toEqual([choice, 7, null]);
  });

  test('forget the report of a run of which nothing was left', async () => {
    const { run } = await stagedRun('notes', csvFrom('notes', 'A:1'));
    const { report } = await drained(run, new FakePlatform('notes'));
    run.keepSummary(report);
    expect(run.summary).toEqual(report);
    takenUp(run);
    expect(run.summary).toBeUndefined();
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
      expectWholeChain(run);
    },
  );

  test('only records that may be there are sent with the check for earlier ones', async () => {
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
    // The check is on where the request does not say otherwise.
    expect(checks).toEqual(['false', 'false', null, 'false']);
  });

  test('records that the platform has lost meanwhile arrive anew', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
    await drained(run, new FakePlatform('transactions'));
    const restored = new FakePlatform('transactions');
    const { report } = await drained(takenUp(run, { again: true }), restored);
    expect(report.rows).toMatchObject({ created: 2 });
    expect(restored.contents()).toEqual({ A: ['1'], B: ['2'] });
  });

  test('a run whose texts are erased cannot be sent before it has them again', async () => {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2'));
    await drained(run, new FakePlatform('transactions'));
    run.eraseSettledPayloads();
    takenUp(run);
    expect(run.state).toBe('cleared');
    takenUp(run, { again: true });
    expect([run.state, run.hasAllTexts]).toEqual(['staged', false]);
  });
});

describe('the doubts of a run of another version', () => {
  /** The second record of a batch of three is refused, so that nobody knows what became of the first. */
  const doubtful = async (resource: 'transactions' | 'statements', at: number) => {
    const { run, folder } = await stagedRun(resource, csvFrom(resource, 'A:1 A:2 A:3 B:4'), {
      limits: { records: 3, bytes: 1_000_000 },
    });
    const errors = [{ detail: 'No.', code: 'invalid', attr: `${resource}.${at}.non_field_errors` }];
    const refused = answer(400, { detail: 'x', code: 'validation_error', errors });
    const platform = new FakePlatform(resource, {
      'A#1': { kind: 'answer', applied: false, answer: refused },
    });
    await drained(run, platform, { concurrency: 1 });
    run.close();
    const opened = folder.open(run.header.id);
    return { run: opened, platform };
  };

  const settled = async (run: RunFile, platform: FakePlatform) => {
    run.openDoubts(NOW);
    const before = platform.received.length;
    const through = () => run.draining(() => NOW, { batches: 'doubts' });
    const { report } = await drained(run, platform, { through, onReject: 'skip' });
    expectWholeChain(run);
    return { report, sent: platform.received.slice(before) };
  };

  test('are settled without the refused record and without those that were never sent', async () => {
    const { run, platform } = await doubtful('transactions', 1);
    expect(run.history.facts().hasDoubts).toBe(true);
    const { report, sent } = await settled(run, platform);
    expect(
      sent.map(({ body }) => (JSON.parse(body) as { transactions: unknown[] }).transactions),
    ).toMatchObject([[{ transaction_id: '1' }]]);
    expect(report.rows).toMatchObject({ created: 1, rejected: 1, not_sent: 2, unknown: 0 });
    expect(run.history.facts().hasDoubts).toBe(false);
    run.close();
  });

  test('are settled without the refused record also after a command that sent nothing', async () => {
    const { run, platform } = await doubtful('transactions', 1);
    run.takeUp({ now: NOW, turn: 2, choice: run.choice, again: false, resendsRefused: false });
    expect(run.report().rows).toMatchObject({ unknown: 1, not_sent: 3 });
    const { report, sent } = await settled(run, platform);
    expect(
      sent.map(({ body }) => (JSON.parse(body) as { transactions: unknown[] }).transactions),
    ).toMatchObject([[{ transaction_id: '1' }]]);
    expect(report.rows).toMatchObject({ created: 1, not_sent: 3, unknown: 0 });
    run.close();
  });

  test('are none when the first record of a request was refused', async () => {
    const { run, platform } = await doubtful('transactions', 0);
    const { report, sent } = await settled(run, platform);
    expect(sent).toEqual([]);
    expect(report.rows).toMatchObject({ rejected: 1, not_sent: 3, unknown: 0 });
    expect(run.history.facts().hasDoubts).toBe(false);
    run.close();
  });

  test('are what a process had in flight when it died', async () => {
    const { run, folder } = await stagedRun('transactions', csvFrom('transactions', 'A:1 A:2 B:3'));
    await run.draining(() => NOW).claimNext(1);
    run.close();
    const opened = folder.open(run.header.id);
    const { report } = await settled(opened, new FakePlatform('transactions'));
    expect(report.rows).toMatchObject({ created: 2, not_sent: 1 });
    opened.close();
  });
});
