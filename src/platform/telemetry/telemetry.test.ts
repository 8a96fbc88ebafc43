import { expect, test } from 'vitest';
import { AppError } from '#kernel/errors';
import { listFigureComplaints } from './figure-rules.ts';
import { createTelemetry } from './index.ts';

test('calls are counted by operation and outcome', async () => {
  const { observe, metrics } = createTelemetry();
  await observe('search_memory', 'key', async () => 'found');
  await expect(
    observe('search_memory', 'key', async () => {
      throw new AppError('not_found', 'secret words');
    }),
  ).rejects.toThrow('secret words');
  const figures = await metrics();
  expect(figures).toContain('thalamus_calls_total{operation="search_memory",outcome="ok"} 1');
  expect(figures).toContain('thalamus_calls_total{operation="search_memory",outcome="not_found"} 1');
  expect(figures).not.toContain('secret words');
});

test('metrics have Prometheus names, each with a help text', async () => {
  const { counter, gauge, timer, metrics } = createTelemetry();
  counter('thalamus_things_total', 'Things.', ['kind']).inc(2, { kind: 'a' });
  gauge('thalamus_queue_depth', 'Jobs that wait.', ['queue'], async () => [{ value: 3, of: { queue: 'q' } }]);
  timer('thalamus_wait_seconds', 'How long.', ['outcome']).observe(0.02, { outcome: '2xx' });
  const text = await metrics();
  expect(text).toContain('thalamus_queue_depth{queue="q"} 3');
  expect(text).toContain(`thalamus_build_info{version="`);
  expect(listFigureComplaints(text)).toEqual([]);
});

test('a gauge that cannot be read now is left out, and the other metrics are returned', async () => {
  const { gauge, metrics } = createTelemetry();
  gauge('thalamus_queue_depth', 'Jobs that wait.', ['queue'], () => Promise.reject(new Error('no database')));
  expect(await metrics()).toMatch(/thalamus_build_info[^]*/);
});

test.for([
  ['# TYPE a_total gauge\n', 'a_total: a gauge must not end in _total'],
  ['# HELP a A.\n# TYPE a counter\n', 'a: a counter ends in _total'],
  ['# HELP a_ms A.\n# TYPE a_ms gauge\n', 'a_ms: seconds, not ms'],
  ['# TYPE a gauge\n', 'a: no help text'],
])('the rules find %j', ([text = '', complaint]) => expect(listFigureComplaints(text)).toContain(complaint));
