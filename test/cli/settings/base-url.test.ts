import { expect, test } from 'vitest';
import { baseUrl, isLoopback } from '../../../src/cli/settings/base-url.ts';

test.each([
  ['https://platform.example', 'https://platform.example'],
  ['https://platform.example/', 'https://platform.example'],
  ['https://platform.example:8443/data/eu/', 'https://platform.example:8443/data/eu'],
  ['HTTPS://Platform.Example', 'https://platform.example'],
  ['https://platform.example:443', 'https://platform.example'],
  ['http://localhost:4010', 'http://localhost:4010'],
  ['http://127.0.0.1:4010/', 'http://127.0.0.1:4010'],
  ['http://127.8.7.6', 'http://127.8.7.6'],
  ['http://[::1]:4010', 'http://[::1]:4010'],
])('%s is the address %s', (text, value) => {
  expect(baseUrl(text)).toEqual({ value });
});

test.each([
  ['platform.example', 'it must be an address such as https://platform.example'],
  ['ftp://platform.example', 'it must be an address such as https://platform.example'],
  ['https://', 'it must be an address such as https://platform.example'],
  ['https://a b', 'it must be an address such as https://platform.example'],
  [' https://platform.example', 'it must be an address such as https://platform.example'],
  ['https:\\\\platform.example', 'it must be an address such as https://platform.example'],
  ['https://host:99999', 'it must be an address such as https://platform.example'],
  ['https://user:pass@platform.example', 'it must not contain a user name or password'],
  ['https://user@platform.example', 'it must not contain a user name or password'],
  ['https://platform.example?x=1', 'it must not contain a query or fragment'],
  ['https://platform.example/#', 'it must not contain a query or fragment'],
  ['https://platform.example/a//b', 'its path has an empty or relative part'],
  ['https://platform.example//', 'its path has an empty or relative part'],
  ['https://platform.example/a/../b', 'its path has an empty or relative part'],
  ['https://platform.example/v1', 'it must end before /v1, which every path of the interface begins with'],
  [
    'https://platform.example/eu/v1/',
    'it must end before /v1, which every path of the interface begins with',
  ],
])('%s is refused: %s', (text, reason) => {
  expect(baseUrl(text)).toEqual({ reason });
});

test.each([
  'http://platform.example',
  'http://127.0.0.1.evil.example',
  'http://10.0.0.1',
  'http://0.0.0.0',
  'http://localhost.evil.example',
])('%s would carry keys in the clear', (text) => {
  expect(baseUrl(text)).toMatchObject({ code: 'base_url_insecure' });
});

test('this machine is what its names and addresses say, and nothing that only looks like it', () => {
  expect(['localhost', '127.0.0.1', '[::1]'].every(isLoopback)).toBe(true);
  expect(['127.0.0.1.example', 'xlocalhost', '128.0.0.1', '[::2]'].some(isLoopback)).toBe(false);
});
