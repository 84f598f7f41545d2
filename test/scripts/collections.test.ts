import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../src/server/public.ts';
import { projectRoot } from '../support/source-tree.ts';

const FOLDER = join(projectRoot, 'examples', 'collections');
const textOf = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

interface PostmanItem {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly body?: { readonly raw: string };
  };
}

test('every request of the collection for Postman is answered as it should be', async () => {
  const platform = await startServer();
  onTestFinished(() => platform.close());
  const { item: items, variable } = JSON.parse(textOf('postman.json')) as {
    item: readonly PostmanItem[];
    variable: readonly { key: string; value: string }[];
  };
  const values = new Map(variable.map(({ key, value }) => [key, value]));
  values.set('baseUrl', platform.url);
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values.get(String(name))!);
  const answers: (readonly [string, number])[] = [];
  for (const { name, request } of items) {
    const answer = await fetch(filled(request.url), {
      method: request.method,
      headers: request.header.map(({ key, value }) => [key, filled(value)] as [string, string]),
      ...(request.body && { body: filled(request.body.raw) }),
    });
    const body = (await answer.json()) as { data?: { obtainPlatformToken?: { token: string } } };
    const token = body.data?.obtainPlatformToken?.token;
    if (token !== undefined) values.set('token', token);
    answers.push([name, answer.status]);
  }
  expect(answers).toEqual(
    items.map(({ name, request }, at) => [name, at > 0 && request.method === 'POST' ? 201 : 200]),
  );
  expect((await platform.ledger()).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['note', 'transaction', 'statement', 'payment_instruction']),
  );
});

test('the collection for Bruno has the same requests', () => {
  const { item: items } = JSON.parse(textOf('postman.json')) as { item: readonly PostmanItem[] };
  const requests = globSync('bruno/*.bru', { cwd: FOLDER }).map((name) => {
    const text = textOf(name);
    const [, method, url] = /^(get|post) \{\n {2}url: (\S+)$/m.exec(text)!;
    const body = /^body:json \{\n([^]*?)\n\}$/m.exec(text)?.[1];
    const title = /^ {2}name: (.+)$/m.exec(text)![1]!;
    return { title, method: method!.toUpperCase(), url: url!, body: body && (JSON.parse(body) as unknown) };
  });
  const expected = items.map(({ name, request: { method, url, body } }) => ({
    title: name,
    method,
    url,
    body: body && (JSON.parse(body.raw) as unknown),
  }));
  const byTitle = (list: readonly { readonly title: string }[]) =>
    list.toSorted((a, b) => a.title.localeCompare(b.title));
  expect(byTitle(requests)).toEqual(byTitle(expected));
});
