import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { CampaignResult } from './campaigns/campaign-result.ts';
import type { Invariant } from './invariants/violation.ts';
import { patchedProject, type Replacement } from './patched-project.ts';

/** A bug that the product does not have, and the invariant that tells of it. */
interface Bug {
  readonly name: string;
  readonly patch: readonly Replacement[];
  readonly campaign: readonly string[];
  readonly caughtBy: Invariant;
}

const ALL_CREATED = `return { kind: 'ok', records: batch.records.map(({ seq }) => ({ seq, outcome: 'created' as const })) };`;
const FAULTS = ['faults', '--count', '1000'];

const BUGS: readonly Bug[] = [
  {
    name: 'forgets that a batch was sent',
    patch: [
      {
        file: 'src/cli/run-file/run-file.ts',
        text: `UPDATE batch SET unsure = 1 WHERE state = 'sent'`,
        by: `UPDATE batch SET state = 'planned' WHERE state = 'sent'`,
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I1',
  },
  {
    name: 'goes past a batch in doubt',
    patch: [
      {
        file: 'src/cli/push/deliver.ts',
        text: `if (winding.aborted) return { kind: 'stopped' };`,
        by: `if (winding.aborted) return { kind: 'stopped' };
    if (reading.kind === 'ambiguous') {
      gate.leave(pass, { kind: 'well' });
      return { kind: 'split' };
    }`,
      },
      {
        file: 'src/cli/run-file/draining.ts',
        text: `AND state IN ('planned', 'sent') ORDER BY first_seq LIMIT 1`,
        by: `AND state IN ('planned', 'sent') ORDER BY state, first_seq LIMIT 1`,
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I5',
  },
  {
    name: 'matches results by their position',
    patch: [
      {
        file: 'src/cli/push/success-body.ts',
        text: 'return complete(records.map((record) => found.get(record.id!)));',
        by: 'return complete([...found.values()]);',
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I6',
  },
  {
    name: 'takes every 2xx for success',
    patch: [
      {
        file: 'src/cli/push/interpret.ts',
        text: `if (!parsed.success) return { kind: 'ambiguous', reason: 'the answer is not what the interface describes' };`,
        by: `if (!parsed.success) ${ALL_CREATED}`,
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I6',
  },
  {
    name: 'settles before the answer is there',
    patch: [
      {
        file: 'src/cli/push/interpret.ts',
        text: `if (answer.kind === 'lost') return { kind: 'ambiguous', reason: answer.reason };`,
        by: `if (answer.kind === 'lost') ${ALL_CREATED}`,
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I6',
  },
  {
    name: 'says not sent of what a refused request may have left',
    patch: [
      {
        file: 'src/cli/run-file/reporting.ts',
        text: 'OR (batch.unsure AND NOT',
        by: 'OR (0 AND NOT',
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I6',
  },
  {
    name: 'takes a page of something else for a refusal by the platform',
    patch: [{ file: 'src/cli/push/settlements.ts', text: `reading.kind === 'foreign' ||`, by: 'false ||' }],
    campaign: FAULTS,
    caughtBy: 'I6',
  },
  {
    name: 'takes words that name no transaction for a refusal of each',
    patch: [
      {
        file: 'src/cli/push/interpret.ts',
        text: `&& !(resource === 'transactions' && isOfOneUnnamed(batch, complaints))`,
        by: '',
      },
    ],
    // It takes such words, some records before them, and no other doubt.
    campaign: ['faults', '--count', '3000'],
    caughtBy: 'I6',
  },
  {
    name: 'sends again with the check off',
    patch: [
      {
        file: 'src/cli/push/request.ts',
        text: 'options.checkPreviouslyAdded || batch.unsure',
        by: 'options.checkPreviouslyAdded',
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I1',
  },
  {
    name: 'does not wait as long as it is asked to',
    patch: [
      {
        file: 'src/cli/push/retry-after.ts',
        text: `const asked = headers['retry-after']?.trim();`,
        by: `const asked = headers['retry-later']?.trim();`,
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I9',
  },
  {
    name: 'goes on after a refusal',
    patch: [
      {
        file: 'src/cli/push/drain.ts',
        text: `this.stop({ kind: reading.kind === 'unauthenticated' ? 'unauthenticated' : 'refused' });`,
        by: '',
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I7',
  },
  {
    name: 'goes on in doubt although it is to stop',
    patch: [
      {
        file: 'src/cli/push/deliver.ts',
        text: `policy.onAmbiguous === 'stop'`,
        by: `policy.retryForMs === 0`,
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I7',
  },
  {
    name: 'goes on after Ctrl-C',
    patch: [
      {
        file: 'src/cli/push/drain.ts',
        text: `const interrupted = (): void => this.stop({ kind: 'interrupted' });`,
        by: `const interrupted = (): void => void (this.end = { kind: 'interrupted' });`,
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I7',
  },
  {
    name: 'does not look at the time that it may take',
    patch: [{ file: 'src/cli/push/drain.ts', text: 'if (!off.signal.aborted) over();', by: '' }],
    campaign: FAULTS,
    caughtBy: 'I9',
  },
  {
    name: 'forgets that a request was ended by the second Ctrl-C',
    patch: [
      {
        file: 'src/cli/push/interpret.ts',
        text: `if (answer.kind === 'lost') return { kind: 'ambiguous', reason: answer.reason };`,
        by: `if (answer.kind === 'lost') return { kind: 'not_applied', reason: answer.reason };`,
      },
    ],
    campaign: FAULTS,
    caughtBy: 'I1',
  },
  {
    name: 'follows a redirect',
    patch: [
      {
        file: 'src/cli/platform/exchange.ts',
        text: `import type { Dispatcher } from 'undici';`,
        by: `import { interceptors, type Dispatcher } from 'undici';`,
      },
      {
        file: 'src/cli/platform/exchange.ts',
        text: '    dispatcher.dispatch(',
        by: '    dispatcher.compose(interceptors.redirect({ maxRedirections: 5 })).dispatch(',
      },
    ],
    campaign: ['cuts', '--count', '500'],
    caughtBy: 'I6',
  },
];

describe('a client with a deliberate bug', () => {
  test.each(BUGS)(
    'that $name breaks $caughtBy',
    { timeout: 120_000 },
    async ({ patch, campaign, caughtBy }) => {
      const folder = join(temporaryFolder(), 'project');
      patchedProject(folder, patch);
      const { violations } = await campaignIn(folder, [...campaign, '--until', caughtBy]);
      expect(violations.map(({ invariant }) => invariant)).toContain(caughtBy);
    },
  );

  test('is made from the product as it is: a text that is not there any more is an error', () => {
    const patch = [{ file: 'src/cli/push/drain.ts', text: 'this stands nowhere', by: '' }];
    expect(() => patchedProject(join(temporaryFolder(), 'project'), patch)).toThrow('this stands nowhere');
  });
});

async function campaignIn(folder: string, args: readonly string[]): Promise<CampaignResult> {
  const script = join(folder, 'scripts', 'campaign.ts');
  const { stdout, stderr } = await execa(process.execPath, [script, ...args, '--json'], {
    cwd: folder,
    reject: false,
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as CampaignResult;
}
