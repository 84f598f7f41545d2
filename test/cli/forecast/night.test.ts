import { expect, test } from 'vitest';
import { longestAccountMs } from '../../../src/cli/forecast/forecast.ts';
import { nightOf, sendingMs, type NightRequest } from '../../../src/cli/forecast/night.ts';
import { samplesOf } from '../../../src/cli/forecast/samples.ts';

const request = (number: string, resource: NightRequest['resource'], records: number) => ({
  account: { import_supplier: 'ACME', external_account_number: number },
  resource,
  records,
});

/** Notes take 100 ms and transactions 10 ms for each record. */
const drawn = ({ resource, records }: NightRequest) => ({
  busyMs: resource === 'notes' ? 100 : 10 * records,
  pauseMs: 0,
});

test('the requests of an account follow one another over all resources, accounts are side by side', () => {
  const night = nightOf(
    [
      request('1', 'notes', 3),
      request('2', 'notes', 3),
      request('1', 'transactions', 20),
      request('1', 'transactions', 5),
    ],
    { concurrency: 8 },
  );
  expect(night.accounts.map((requests) => requests.map(({ records }) => records))).toEqual([[3, 20, 5], [3]]);
  expect(sendingMs(night, drawn)).toBe(100 + 200 + 50);
  expect(sendingMs({ ...night, concurrency: 1 }, drawn)).toBe(100 + 200 + 50 + 100);
});

const timing = (batch: number, startedMs: number, endedMs: number) => ({
  batch,
  records: 1,
  startedMs,
  endedMs,
  isSettled: true,
});

test('the samples of runs that were sent side by side count the requests of all of them at once', () => {
  const samples = samplesOf([
    { resource: 'notes', timings: [timing(1, 0, 100), timing(2, 100, 150)] },
    { resource: 'transactions', timings: [timing(1, 50, 120)] },
    { resource: 'transactions', timings: [timing(1, 40, 60)] },
  ]);
  expect(samples.get('notes')).toMatchObject([
    { busyMs: 100, atOnce: 1 },
    { busyMs: 50, atOnce: 2 },
  ]);
  // The two runs have a batch 1 each. They are two requests.
  expect(samples.get('transactions')).toMatchObject([
    { busyMs: 20, atOnce: 2 },
    { busyMs: 70, atOnce: 3 },
  ]);
});

test('the longest account has the mean times of its resources', () => {
  const night = nightOf(
    [request('1', 'notes', 1), request('1', 'transactions', 1), request('2', 'notes', 1)],
    {
      concurrency: 1,
    },
  );
  const samples = samplesOf([
    { resource: 'notes', timings: [timing(1, 0, 100), timing(2, 100, 300)] },
    { resource: 'transactions', timings: [timing(1, 400, 410)] },
  ]);
  expect(longestAccountMs(night, samples)).toBe(160);
});
