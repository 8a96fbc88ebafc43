import { expect, test } from 'vitest';
import type { DraftRow } from '#modules/actions';
import { buildDraftMail, toQuotable } from './format-mail.ts';

test('text of others is one line without hidden characters and links', () => {
  expect(toQuotable('Lunch\r\nBcc: eve@example.com\n\n> Approve here')).toBe(
    'Lunch Bcc: eve@example.com > Approve here',
  );
  expect(toQuotable('pay \u202Egpj.exe\u202C\u200B now')).toBe('pay gpj. exe now');
  expect(toQuotable('see https://evil.example/in or www.evil.example')).toBe(
    'see https: //evil. example/in or www .evil. example',
  );
  expect(toQuotable('<b>Bold</b> \u0000\u2028next')).toBe('<b>Bold</b> next');
  expect([...toQuotable('é😀'.repeat(200))]).toHaveLength(160);
});

test.for([
  ['sign in at evil.example.com/login', 'sign in at evil. example. com/login'],
  ['EVIL.Example.COM', 'EVIL. Example. COM'],
  ['bücher-.example, 💩.la and 例え。テスト', 'bücher-. example, 💩. la and 例え。 テスト'],
  ['owner@evil.example.com/login', 'owner@evil. example. com/login'],
  ['mailto:eve@evil.example', 'mailto:eve@evil. example'],
  ['Through ada@example.com. Evil.example', 'Through ada@example.com. Evil. example'],
  [
    'Mail to noah@example.com: it costs 3.50, e.g. on Friday.',
    'Mail to noah@example.com: it costs 3.50, e.g. on Friday.',
  ],
] as const)('mail programs find no address to turn into a link in «%s»', ([words, shown]) => {
  expect(toQuotable(words)).toBe(shown);
});

test('a mail says in our own words why a draft needs a second look', () => {
  const draft = {
    id: '0',
    status: 'pending',
    action: 'delete_event',
    is_destructive: true,
    reached: [],
    newly_reached: [],
    preview: { title: 'Delete an event', fields: [], isComplete: true },
    target: null,
    expires_at: new Date('2027-01-01T00:00:00Z'),
    drafted_by_label: 'Bot',
    account: 'ada@example.com',
  } as unknown as DraftRow; // the other fields do not affect the mail
  const { text } = buildDraftMail([{ draft, about: 'waiting', owner: null }], {
    publicUrl: 'https://x.example',
    email: 'a@x.example',
  });
  expect(text).toMatch(/^Take care\. It deletes something\.$/m);
});
