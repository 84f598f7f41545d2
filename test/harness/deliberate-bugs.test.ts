import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../support/source-tree.ts';
import type { CampaignResult } from './campaigns/campaign-result.ts';
import type { cutsCampaign } from './campaigns/cuts.ts';
import { seedsFrom, type faultsCampaign } from './campaigns/faults.ts';
import type { livesCampaign } from './campaigns/lives.ts';
import type { LifeKind } from './campaigns/migration-life.ts';
import type { Invariant } from './invariants/violation.ts';
import { patchedProject, type Replacement } from './patched-project.ts';

/** The modules of the campaigns that find the bugs. */
const CAMPAIGNS = [
  'test/harness/campaigns/cuts.ts',
  'test/harness/campaigns/faults.ts',
  'test/harness/campaigns/lives.ts',
];

/** What these modules export. */
interface Campaigns {
  readonly cutsCampaign: typeof cutsCampaign;
  readonly faultsCampaign: typeof faultsCampaign;
  readonly livesCampaign: typeof livesCampaign;
}

type Campaign = (campaigns: Campaigns, caughtBy: Invariant) => Promise<CampaignResult>;

/** A bug that the product does not have, and the invariant that catches it. */
interface Bug {
  readonly name: string;
  readonly patch: readonly Replacement[];
  readonly campaign: Campaign;
  readonly caughtBy: Invariant;
}

const ALL_CREATED = `return { kind: 'ok', records: batch.records.map(({ seq }) => ({ seq, outcome: 'created' as const })) };`;

/**
 * Fault runs from the seed that shows the bug, so the first run catches it. When a change of the product moves the bug to
 * another seed, the campaign goes on until it finds one.
 */
const faultsFrom =
  (seed: number): Campaign =>
  ({ faultsCampaign }, caughtBy) =>
    faultsCampaign(seedsFrom(seed, 1_000), ({ violations }) =>
      violations.some(({ invariant }) => invariant === caughtBy),
    );

/** The same for lives of a migration. */
const livesFrom =
  (seed: number, kind?: LifeKind): Campaign =>
  ({ livesCampaign }, caughtBy) =>
    livesCampaign({
      seed,
      kind,
      count: 300,
      until: ({ violations }) => violations.some(({ invariant }) => invariant === caughtBy),
    });

/** Answers about notes that end after their first byte, and redirects. */
const firstCut: Campaign = ({ cutsCampaign }) =>
  cutsCampaign({ seed: 1, every: 100_000, odd: [], resources: ['notes'] });

const BUGS: readonly Bug[] = [
  {
    name: 'forgets that a batch was sent',
    patch: [
      {
        file: 'src/cli/journal/send/taking-up.ts',
        text: `'UPDATE batch SET in_doubt = 1 WHERE id IN (SELECT batch_id FROM attempt WHERE ended_at IS NULL)'`,
        by: `"UPDATE batch SET state = 'planned' WHERE state = 'sent'"`,
      },
    ],
    campaign: faultsFrom(4),
    caughtBy: 'I1',
  },
  {
    name: 'sends a request before the commit of its claim',
    patch: [
      {
        file: 'src/cli/journal/database/group-commit.ts',
        text: 'if (waiting.length === 0) setImmediate(commit);',
        by: `if (!db.inTransaction) db.exec('BEGIN');
      setImmediate(() => setImmediate(() => void (db.open && db.inTransaction && db.exec('COMMIT'))));
      try {
        resolve(operation());
      } catch (error) {
        reject(error);
      }
      return;`,
      },
    ],
    campaign: faultsFrom(223),
    caughtBy: 'I6',
  },
  {
    name: 'sends the next batch while one is in doubt',
    patch: [
      {
        file: 'src/cli/push/send/deliver.ts',
        text: `if (stopping.aborted) return { kind: 'stopped' };`,
        by: `if (stopping.aborted) return { kind: 'stopped' };
    if (result.kind === 'ambiguous') {
      limiter.release(permit, { kind: 'succeeded' });
      return { kind: 'split' };
    }`,
      },
      {
        file: 'src/cli/journal/send/draining.ts',
        text: `ORDER BY account_id, in_doubt DESC, first_seq LIMIT 1`,
        by: `ORDER BY account_id, state, first_seq LIMIT 1`,
      },
    ],
    campaign: faultsFrom(1),
    caughtBy: 'I5',
  },
  {
    name: 'matches results by their position',
    patch: [
      {
        file: 'src/cli/push/answer/success-answer.ts',
        text: 'byId ? byId.get(id) : results[index]',
        by: 'results[index]',
      },
    ],
    campaign: faultsFrom(22),
    caughtBy: 'I6',
  },
  {
    name: 'treats every 2xx as success',
    patch: [
      {
        file: 'src/cli/push/answer/classify.ts',
        text: `if (!parsed.success) return { kind: 'ambiguous', reason: 'the answer is not what the interface describes' };`,
        by: `if (!parsed.success) ${ALL_CREATED}`,
      },
    ],
    campaign: faultsFrom(56),
    caughtBy: 'I6',
  },
  {
    name: 'settles a batch without an answer',
    patch: [
      {
        file: 'src/cli/push/answer/classify.ts',
        text: `if (answer.kind === 'lost') return { kind: 'ambiguous', reason: answer.reason };`,
        by: `if (answer.kind === 'lost') ${ALL_CREATED}`,
      },
    ],
    campaign: faultsFrom(16),
    caughtBy: 'I6',
  },
  {
    name: 'reports records as not sent that a refused request may have added',
    patch: [
      {
        file: 'src/cli/journal/database/outcome-sql.ts',
        text: "batch.state = 'sent' OR batch.in_doubt",
        by: "batch.state = 'sent'",
      },
    ],
    campaign: faultsFrom(12),
    caughtBy: 'I6',
  },
  {
    name: 'treats a page of a proxy as a refusal by the platform',
    patch: [
      { file: 'src/cli/push/answer/settlement.ts', text: `result.kind === 'foreign' ||`, by: 'false ||' },
    ],
    campaign: faultsFrom(12),
    caughtBy: 'I6',
  },
  {
    name: 'treats an error that names no transaction as a refusal of each',
    patch: [
      {
        file: 'src/cli/push/answer/classify.ts',
        text: '&& !(mayKeepPart && mayBeAboutAnyRecord(batch, errors))',
        by: '',
      },
    ],
    // The bug shows only after such an error, with records before it, and without any other doubt.
    campaign: faultsFrom(102),
    caughtBy: 'I6',
  },
  {
    name: 'sends again with the check off',
    patch: [
      {
        file: 'src/cli/push/request.ts',
        text: 'options.checkPreviouslyAdded || batch.inDoubt',
        by: 'options.checkPreviouslyAdded',
      },
    ],
    campaign: faultsFrom(12),
    caughtBy: 'I1',
  },
  {
    name: 'waits shorter than Retry-After asks',
    patch: [
      {
        file: 'src/cli/push/waits.ts',
        text: `const asked = headers['retry-after']?.trim();`,
        by: `const asked = headers['retry-later']?.trim();`,
      },
    ],
    campaign: faultsFrom(237),
    caughtBy: 'I9',
  },
  {
    name: 'continues after a refusal',
    patch: [
      {
        file: 'src/cli/push/send/drain.ts',
        text: `this.stop({ kind: result.kind === 'unauthenticated' ? 'unauthenticated' : 'refused' });`,
        by: '',
      },
    ],
    campaign: faultsFrom(12),
    caughtBy: 'I7',
  },
  {
    name: 'continues after Ctrl-C',
    patch: [
      {
        file: 'src/cli/push/send/drain.ts',
        text: `const interrupted = (): void => this.stop({ kind: 'interrupted' });`,
        by: `const interrupted = (): void => void (this.end = { kind: 'interrupted' });`,
      },
    ],
    campaign: faultsFrom(14),
    caughtBy: 'I7',
  },
  {
    name: 'ignores --max-duration',
    patch: [{ file: 'src/cli/push/send/drain.ts', text: 'if (!off.signal.aborted) over();', by: '' }],
    campaign: faultsFrom(16),
    caughtBy: 'I9',
  },
  {
    name: 'treats a request that the second Ctrl-C ended as not applied',
    patch: [
      {
        file: 'src/cli/push/answer/classify.ts',
        text: `if (answer.kind === 'lost') return { kind: 'ambiguous', reason: answer.reason };`,
        by: `if (answer.kind === 'lost') return { kind: 'not_applied', reason: answer.reason };`,
      },
    ],
    campaign: faultsFrom(13),
    caughtBy: 'I1',
  },
  {
    name: 'follows a redirect',
    patch: [
      {
        file: 'src/cli/client/requests.ts',
        text: `import type { Dispatcher } from 'undici';`,
        by: `import { interceptors, type Dispatcher } from 'undici';`,
      },
      {
        file: 'src/cli/client/requests.ts',
        text: '    dispatcher.dispatch(',
        by: '    dispatcher.compose(interceptors.redirect({ maxRedirections: 5 })).dispatch(',
      },
    ],
    campaign: firstCut,
    caughtBy: 'I6',
  },
  {
    name: 'adds up totals as floats, which keep no more than 15 digits',
    patch: [
      {
        file: 'src/core/values/decimal.ts',
        text: "BigInt(withPlaces(decimal, places).replace('.', ''))",
        by: 'BigInt(Math.round(Number(decimal.text) * 10 ** places))',
      },
    ],
    campaign: faultsFrom(24),
    caughtBy: 'I3',
  },
  {
    name: 'counts rows that have to be verified as accepted',
    patch: [
      {
        file: 'src/cli/journal/read/reporting.ts',
        text: 'iif(outcome IN ${ARRIVED_SQL}, coalesce',
        by: "iif(outcome = 'verify' OR outcome IN ${ARRIVED_SQL}, coalesce",
      },
    ],
    campaign: faultsFrom(4),
    caughtBy: 'I3',
  },
  {
    name: 'limits requests by characters instead of bytes',
    patch: [
      {
        file: 'src/cli/journal/stage/staging.ts',
        text: 'octet_length(payload) AS bytes',
        by: 'length(payload) AS bytes',
      },
    ],
    campaign: faultsFrom(76),
    caughtBy: 'I16',
  },
  {
    name: 'logs the body of a request whose answer is lost, with the API key',
    patch: [
      {
        file: 'src/cli/client/requests.ts',
        text: 'recordEnd(answer.kind, reason);',
        by: 'recordEnd(answer.kind, `${reason}: ${body}`);',
      },
    ],
    campaign: firstCut,
    caughtBy: 'I8',
  },
  {
    name: 'does not compare the values that an answer repeats',
    patch: [
      {
        file: 'src/cli/push/answer/success-answer.ts',
        text: '...differencesOf(resource, { sent, answered: data, isExisting }).filter(',
        by: '...[].filter(',
      },
    ],
    campaign: faultsFrom(141),
    caughtBy: 'I6',
  },
  {
    name: 'believes an answer that names another account',
    patch: [
      {
        file: 'src/cli/push/answer/success-answer.ts',
        text: '.some((part) => namesAnotherAccount(account, part))',
        by: '.some((part) => namesAnotherAccount(account, part) && false)',
      },
    ],
    campaign: faultsFrom(5),
    caughtBy: 'I6',
  },
  {
    name: 'treats JSON of a gateway as a refusal by the platform',
    patch: [
      {
        file: 'src/cli/push/answer/refusal-source.ts',
        text: `if (!isOfPlatform(resource, batch, { status, json }, error)) return 'elsewhere';`,
        by: '',
      },
    ],
    campaign: faultsFrom(132),
    caughtBy: 'I1',
  },
  {
    name: 'believes success beside an error',
    patch: [
      {
        file: 'src/cli/push/answer/success-answer.ts',
        text: 'const items = resultsIn(resource, body).filter(',
        by: 'if (body) return false;\n  const items = resultsIn(resource, body).filter(',
      },
    ],
    campaign: faultsFrom(42),
    caughtBy: 'I6',
  },
  {
    name: 'believes an attr that leads to nothing',
    patch: [
      {
        file: 'src/cli/push/answer/refusal-source.ts',
        text: `if (typeof attr !== 'string' || attr === '') return false;`,
        by: `if (typeof attr === 'string') return true;`,
      },
    ],
    campaign: faultsFrom(857),
    caughtBy: 'I6',
  },
  {
    name: 'ignores what the journal has of transactions',
    patch: [
      {
        file: 'src/cli/journal/merge/comparison.ts',
        text: '      db.exec(FIND_SAME);',
        by: "      if (resource !== 'transactions') db.exec(FIND_SAME);",
      },
      {
        file: 'src/cli/journal/database/schema.ts',
        text: 'CREATE UNIQUE INDEX record_by_identity',
        by: 'CREATE INDEX record_by_identity',
      },
    ],
    campaign: livesFrom(24),
    caughtBy: 'I20',
  },
  {
    name: 'sends a changed row as a new one',
    patch: [
      {
        file: 'src/cli/journal/merge/comparison.ts',
        text: "iif(${IS_EQUAL}, 'same', 'changed')",
        by: "iif(${IS_EQUAL}, 'same', 'anew')",
      },
    ],
    campaign: livesFrom(27),
    caughtBy: 'I20',
  },
  {
    name: 'settles the doubts of another version after sending the new one',
    patch: [
      {
        file: 'src/cli/journal/send/draining.ts',
        text: 'ORDER BY account_id, in_doubt DESC, first_seq LIMIT 1',
        by: 'ORDER BY account_id, in_doubt, first_seq LIMIT 1',
      },
    ],
    campaign: livesFrom(5, 'doubts'),
    caughtBy: 'I21',
  },
  {
    name: 'sends a record that no row is any more',
    patch: [
      {
        file: 'src/cli/journal/merge/ending.ts',
        text: '      DELETE FROM record WHERE seq IN (${open})`),',
        by: '      `),',
      },
      {
        file: 'src/cli/journal/send/taking-up.ts',
        text: 'const own = `EXISTS (${UNSETTLED} AND record.reading_id = ${number})`;',
        by: 'const own = `EXISTS (${UNSETTLED})`;',
      },
      {
        file: 'src/cli/journal/send/draining.ts',
        text: 'AND (reading_id = ? OR ?)',
        by: 'AND (reading_id = ? OR 1 + ?)',
      },
    ],
    campaign: livesFrom(79),
    caughtBy: 'I19',
  },
  {
    name: 'believes an older copy of a journal',
    patch: [
      {
        file: 'src/cli/journal/journal.ts',
        text: 'if (found === seen.head) return;',
        by: 'return void found;',
      },
    ],
    campaign: livesFrom(61),
    caughtBy: 'I19',
  },
];

const work = mkdtempSync(join(tmpdir(), 'dataimport-bugs-'));
const project = await patchedProject(work, CAMPAIGNS);
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('a client with a deliberate bug', () => {
  test.each(BUGS)('that $name breaks $caughtBy', async ({ patch, campaign, caughtBy }) => {
    const campaigns = await project.load<Campaigns>(patch);
    const { violations } = await campaign(campaigns, caughtBy);
    expect(violations.map(({ invariant }) => invariant)).toContain(caughtBy);
  });

  test('is listed in docs/campaigns.md with the invariant that it breaks', () => {
    const page = readFileSync(join(projectRoot, 'docs', 'campaigns.md'), 'utf8');
    const listed = [...page.matchAll(/^\| (.+?) +\| (I\d+) +\|$/gm)].map(([, name, caughtBy]) => [
      name,
      caughtBy,
    ]);
    expect(listed).toEqual(BUGS.map(({ name, caughtBy }) => [name, caughtBy]));
  });

  test('is made from the current product: a text to replace that is missing is an error', async () => {
    const patch = [{ file: 'src/cli/push/send/drain.ts', text: 'no file contains this', by: '' }];
    await expect(project.load(patch)).rejects.toThrow('no file contains this');
  });
});
