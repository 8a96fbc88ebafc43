import { expect, test } from 'vitest';
import { listOutside } from '../drafting/reach.ts';
import { formatDangerLine, listDangers } from './danger.ts';

const draft = { status: 'pending' as const, reached: [] as string[], newly_reached: [] as string[] };
const listKinds = (...of: Parameters<typeof listDangers>) => listDangers(...of).map(({ kind }) => kind);

test('every destructive action is marked, whatever its name', () => {
  expect(listKinds({ name: 'delete_event', risk: 'destructive' }, draft)).toEqual(['deletes']);
  expect(listKinds({ name: 'share_file', risk: 'destructive' }, draft)).toEqual(['shares']);
  expect(listKinds({ name: 'http_request', risk: 'destructive' }, draft)).toEqual(['may_destroy']);
  expect(listKinds({ name: 'send_email', risk: 'write' }, draft)).toEqual([]);
});

test('many recipients and new external ones are marked, with their number', () => {
  const reached = Array.from({ length: 11 }, (_, n) => `${n}@example.net`);
  const dangers = listDangers({ name: 'send_email', risk: 'write' }, { ...draft, reached, newly_reached: reached });
  expect(dangers).toEqual([
    { kind: 'many_recipients', says: 'It reaches 11 people.', people: 11 },
    { kind: 'new_recipients', says: 'First time to 0@example.net, 1@example.net and 9 more.', people: 11 },
  ]);
});

test('a decided draft is not marked', () => {
  expect(listDangers({ name: 'delete_event', risk: 'destructive' }, { ...draft, status: 'confirmed' })).toEqual([]);
});

test('people of the same domain are internal, except at hosts where anybody can have an address', () => {
  expect(listOutside(['ben@example.com', 'ana@example.net'], 'ada@example.com')).toEqual(['ana@example.net']);
  expect(listOutside(['ben@gmail.com'], 'ada@gmail.com')).toEqual(['ben@gmail.com']);
  expect(listOutside(['ana@example.net', 'C123'], 'Acme')).toEqual(['ana@example.net']);
});

test('mails, phones and clients say why a waiting draft needs a second look, without naming anybody', () => {
  const line = (action: string, more: object = {}) =>
    formatDangerLine({ ...draft, action, is_destructive: false, ...more });
  expect(line('send_email')).toBeNull();
  expect(line('http_request', { is_destructive: true })).toMatch(/^Take care\. It may delete something/);
  expect(line('delete_event', { is_destructive: null })).toBe('Take care. It deletes something.'); // an older draft
  const reached = Array.from({ length: 11 }, (_, n) => `${n}@example.net`);
  expect(line('send_email', { reached, newly_reached: reached.slice(0, 2) })).toBe(
    'Take care. It reaches 11 people. It is the first to 2 people outside.',
  );
  expect(line('delete_event', { is_destructive: true, status: 'confirmed' })).toBeNull();
});
