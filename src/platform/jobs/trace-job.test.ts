import { expect, test } from 'vitest';
import { traceJob } from './trace-job.ts';

test('a scheduled job, which the queue stores without data, does its work', async () => {
  const given: object[] = [];
  await traceJob('tidy', null, async (data) => void given.push(data));
  expect(given).toEqual([{}]);
});

test('a job gets the data that was enqueued', async () => {
  const given: object[] = [];
  await traceJob('link', { ids: ['a'] }, async (data) => void given.push(data));
  expect(given).toEqual([{ ids: ['a'] }]);
});
