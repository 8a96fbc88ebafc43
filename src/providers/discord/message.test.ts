import { expect, test } from 'vitest';
import { readDiscordMessage } from './message.ts';

test('a message is read with its text, its embeds, its forward, its poll, its components and its files', () => {
  const embed = {
    provider: { name: 'ci' },
    author: { name: 'gearbox' },
    title: '#552 failed',
    description: 'lint: 3 errors',
    fields: [{ name: 'Team', value: 'freight', inline: true }],
    footer: { text: 'runbook RB-37' },
  };
  const message = {
    content: 'Look',
    author: { username: 'pager', global_name: 'Pager' },
    embeds: [embed],
    components: [
      {
        type: 17,
        components: [
          { type: 10, content: 'Pump three' },
          { type: 9, components: [], accessory: { label: 'Open' } },
        ],
      },
    ],
    message_snapshots: [{ message: { content: 'the keel is cracked', embeds: [{ title: 'Survey' }] } }],
    poll: { question: { text: 'Which quay?' }, answers: [{ poll_media: { text: 'North' } }] },
    sticker_items: [{ name: 'wave' }],
    attachments: [{ filename: 'a.pdf', description: 'the plan' }],
  };
  const { words, by } = readDiscordMessage(message);
  expect(by).toBe('pager');
  expect(words.split('\n')).toEqual([
    'Look',
    'ci',
    'gearbox',
    '#552 failed',
    'lint: 3 errors',
    'Team: freight',
    'runbook RB-37',
    'Pump three',
    'Open',
    'Forwarded:',
    'the keel is cracked',
    'Survey',
    'Which quay?',
    '- North',
    'Sticker: wave',
    'File: a.pdf',
    'the plan',
  ]);
});

test('a message without words has no text', () => {
  for (const odd of [null, { content: '' }, { content: 5, embeds: 'x' }])
    expect(readDiscordMessage(odd).words).toBe('');
});
