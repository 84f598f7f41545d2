import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkDocument } from '../support/json-documents.ts';
import { PLAUSIBILITY_CODES } from '../../src/core/error-codes/input-codes.ts';
import { isErrorCode } from '../../src/core/error-codes/table.ts';
import { fakeIo, runCli } from '../support/cli-io.ts';
import { documentBlocks } from '../support/document-blocks.ts';
import { projectRoot } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { addsUp } from '../../src/cli/push/ports/report.ts';

const PAGE = 'docs/check.md';
const text = readFileSync(join(projectRoot, PAGE), 'utf8');

test.each([0, 1])('its example %d is answered with what it shows', async (at) => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'example.csv'), documentBlocks(PAGE, 'csv')[at]!.text);
  const io = fakeIo({ cwd, nowMs: Date.UTC(2026, 10, 21) });
  const { stdout } = await runCli(['check', 'transactions', 'example.csv'], io);
  expect(stdout).toContain(documentBlocks(PAGE, 'text')[at]!.text);
});

test('its document fits the schema, and the rows add up', () => {
  const [block] = documentBlocks(PAGE, 'json');
  const document = checkDocument.parse(JSON.parse(block!.text));
  expect(addsUp(document.rows)).toBe(true);
  expect(Object.keys(document)).toEqual(Object.keys(checkDocument.shape));
});

test('it names every code that only a person would raise, and codes that exist', () => {
  const named = [...text.matchAll(/^- ((?:`\w+`(?:, )?)+)/gm)].flatMap(
    ([, cell]) => cell!.match(/\w+/g) ?? [],
  );
  expect(named.filter((code) => !isErrorCode(code))).toEqual([]);
  for (const code of Object.keys(PLAUSIBILITY_CODES)) expect(named).toContain(code);
});
