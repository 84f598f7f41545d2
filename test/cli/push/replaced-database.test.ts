import { describe, expect, test } from 'vitest';
import { planByHeader } from '../../../src/cli/mapping/compile/plan-by-header.ts';
import { fieldNames } from '../../../src/cli/mapping/language/fields.ts';
import { classify } from '../../../src/cli/push/answer/classify.ts';
import { locatePlatformError } from '../../../src/cli/push/answer/platform-errors.ts';
import type { PlatformAnswer } from '../../../src/cli/push/ports/platform.ts';
import { RESOURCES, type Resource } from '../../../src/core/contract/resources.ts';
import { entryOf } from '../../../src/core/error-codes/table.ts';
import { FakePlatform } from '../../support/fake-platform.ts';
import { answer, batchOf, goodBody } from '../../support/push-batch.ts';
import { drained, type DrainOptions } from '../../support/push-drained.ts';
import { csvFrom, stagedRun } from '../../support/push-staged-run.ts';

const CODE = 'platform_database_changed';
const naming = (database: string) => ({ 'dataimport-database': database });
const sent = (resource: Resource) => batchOf(resource, resource === 'payment-instructions' ? 1 : 3);

describe.each(RESOURCES)(
  'an answer about %s that names another database than the run goes to',
  (resource) => {
    const batch = sent(resource);
    const answers: readonly (readonly [string, PlatformAnswer])[] = [
      [201, goodBody(resource, batch)] as const,
      [400, { detail: 'No.', code: 'validation_error' }] as const,
      [401, { detail: 'No.', code: 'authentication_failed' }] as const,
      [404, { detail: 'Not found.' }] as const,
      [413, ''] as const,
      [429, ''] as const,
      [503, ''] as const,
    ].map(([status, body]) => [String(status), answer(status, body, naming('db-2'))]);

    test.each(answers)('with %s does not belong to it', (status, given) => {
      expect(classify(resource, batch, given, { database: 'db-1' })).toEqual({
        kind: 'foreign',
        errors: [
          { seq: null, attr: null, problem: { code: CODE, path: [], detail: '' }, status: Number(status) },
        ],
      });
    });

    test.each(answers)('with %s counts without the guard', (_, given) => {
      for (const asked of [{ database: null }, { database: 'db-2' }, {}])
        expect(classify(resource, batch, given, asked).kind).not.toBe('foreign');
    });

    test.each(answers)(
      'with %s is reported at the first row, at no cell, and with the step of its code',
      (_, given) => {
        const result = classify(resource, batch, given, { database: 'db-1' });
        const { columns } = planByHeader(resource, fieldNames(resource), undefined).plan;
        const context = { resource, sources: [{ name: 'a.csv', columns }] };
        const [error] = 'errors' in result ? result.errors : [];
        const { sentence, next } = entryOf(CODE);
        expect(locatePlatformError(context, batch, error!)).toMatchObject({
          code: CODE,
          line: 2,
          column: null,
          header: null,
          detail: batch.records.length === 1 ? sentence : `${sentence} (and 2 more of the same request)`,
          next,
        });
      },
    );
  },
);

test.each([{}, naming(''), naming('db 2'), naming('db-1, db-2'), naming('x'.repeat(65))])(
  'an answer with the headers %j names no database, so it counts',
  (headers) => {
    const batch = sent('notes');
    const given = answer(201, goodBody('notes', batch), headers);
    expect(classify('notes', batch, given, { database: 'db-1' }).kind).toBe('ok');
  },
);

describe('a database that is replaced while records are sent', () => {
  /** The first answer of account B comes from another database. */
  async function push(options: DrainOptions) {
    const { run } = await stagedRun('transactions', csvFrom('transactions', 'A:1 B:2 B:3 B:4 C:5'));
    const platform = new FakePlatform('transactions');
    const send = async (request: Parameters<FakePlatform['send']>[0]): Promise<PlatformAnswer> => {
      const given = await platform.send(request);
      const { account } = platform.received.at(-1)!;
      if (given.kind !== 'answer') throw new Error('the platform answers');
      return { ...given, headers: naming(account === 'A' ? 'db-1' : 'db-2') };
    };
    const ended = await drained(run, { send }, { concurrency: 1, ...options });
    return { ...ended, run, platform };
  }

  test('ends the run, and the records of the answer are unknown', async () => {
    const { end, report, run, platform } = await push({ database: 'db-1' });
    expect(end).toEqual({ kind: 'refused' });
    expect(report.rows).toMatchObject({ created: 1, unknown: 2, not_sent: 2 });
    expect(report.problems.map(({ code, line }) => [code, line])).toEqual([[CODE, 3]]);
    expect(platform.received).toHaveLength(2);
    expect(run.isOpen).toBe(true);
  });

  test('ends it with --on-reject skip, too', async () => {
    const { end, report } = await push({ database: 'db-1', onReject: 'skip' });
    expect(end).toEqual({ kind: 'refused' });
    expect(report.rows).toMatchObject({ created: 1, unknown: 2, not_sent: 2 });
  });

  test('goes unnoticed without the guard, and the records go on into the other database', async () => {
    const { end, report, platform } = await push({});
    expect(end).toEqual({ kind: 'finished' });
    expect(report.rows).toMatchObject({ created: 5 });
    expect(platform.received).toHaveLength(4);
  });
});
