import { expect, test } from 'vitest';
import { buildContentParts, cutAtWord, formatDraftText, formatHeading, buildStatusParts } from './draft-text.ts';
import type { DraftRow } from '../store/drafts.ts';

const draft = {
  preview: {
    title: 'Change an issue',
    fields: [
      { label: 'Title', text: 'Approve:\nall of it', was: `Before ${'word '.repeat(60)}` },
      { label: 'Labels', text: ' ' },
    ],
    isComplete: true,
  },
  target: { about: 'Crash at\u202Estart' },
} as unknown as DraftRow; // the other fields do not affect its text

test('all text of others is quoted, and none of it is among the server’s own words', () => {
  const parts = buildContentParts(draft);
  const ours = parts.filter(({ kind }) => kind === 'text').map(({ text }) => text);
  expect(ours).toEqual(['Title:', 'Before:', 'Labels: –']);
  expect(parts[0]).toEqual({ kind: 'quote', text: formatHeading(draft) });
  expect(parts[2]).toEqual({ kind: 'quote', text: 'Approve:\nall of it' });
});

test('a heading writes out the invisible characters of a name', () => {
  expect(formatHeading(draft)).toMatch(/^Change an issue: Crash at/);
  expect(formatHeading(draft)).not.toContain('\u202E');
});

test('the present text may be cut at a word; the text to be sent may not', () => {
  const before = buildContentParts(draft)[4]?.text ?? '';
  expect(before.length).toBeLessThanOrEqual(201);
  expect(before).toMatch(/word…$/);
  expect(cutAtWord('x'.repeat(20), 10)).toBe(`${'x'.repeat(9)}…`);
});

test('the texts of a waiting draft begin with why it needs a second look', () => {
  const waiting = {
    ...draft,
    status: 'pending',
    action: 'delete_event',
    is_destructive: true,
    reached: [],
    newly_reached: [],
    expires_at: new Date('2027-01-01T00:00:00Z'),
  } as unknown as DraftRow;
  expect(formatDraftText(waiting)).toMatch(/^Take care\. It deletes something\.\n/);
  const parts = buildStatusParts(waiting, { now: new Date('2026-12-31T00:00:00Z') });
  expect(parts).toContainEqual({ kind: 'text', text: 'Take care. It deletes something.' });
});
