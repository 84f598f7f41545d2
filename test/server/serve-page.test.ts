import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { BUILT_IN_SEED } from '../../src/server/seed/built-in-seed.ts';
import { ACCOUNT, startPlatform } from '../support/server-platform.ts';
import { documentBlocks } from '../support/document-blocks.ts';

const PAGE = 'docs/serve-reference.md';

test('docs/serve-reference.md shows the built-in seed', () => {
  const seeds = documentBlocks(PAGE, 'yaml').filter(({ title }) => title === 'seed');
  expect(seeds.map(({ text }) => parse(text))).toEqual([BUILT_IN_SEED]);
});

test('docs/serve-reference.md shows a line of the ledger as it is', async () => {
  const platform = await startPlatform();
  const transaction = { transaction_id: 't-1', transaction_date: '2026-02-01', amount: 12.5, type: 'CHARGE' };
  await platform.post('createTransactions', { ...ACCOUNT, transactions: [transaction] });
  const { text } = await platform.request('GET', '/_local/ledger');
  expect(documentBlocks(PAGE, 'ndjson').map((block) => block.text)).toEqual([text]);
});

test('the GraphQL document in docs/serve.md gets a token', async () => {
  const platform = await startPlatform({ seeds: [] });
  const shown = documentBlocks('docs/serve.md', 'sh').find(({ text }) => text.includes('graphql'));
  const body = /-d '(\{.*\})'/.exec(shown!.text)![1]!;
  const answer = await platform.request('POST', '/v1/graphql/', { body });
  expect(answer.body.data.obtainPlatformToken.token).toBeTruthy();
});
