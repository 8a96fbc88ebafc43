// What somebody finds who has used Thalamus for a week: linked accounts, memories, and drafts that wait.
import { linkGoogle } from '../support/google.ts';
import { linkAccount } from '../support/linking.ts';
import type { ReachedServer } from '../support/server.ts';
import type { Services } from '#emulators/services';

const account = 'ada@example.com';

/** Links Ada's accounts, starts their syncs, and lets an agent remember and draft. */
export async function fill(server: ReachedServer, services: Services, now: Date): Promise<void> {
  await link(server, services);
  for (const source of ['gmail', 'calendar', 'drive', 'github', 'linear', 'slack'])
    await server.ok('sync_integration', { source });
  const { key } = await server.ok('create_key', { label: 'Claude' });
  const agent = { key: String(key) };
  for (const [content, type] of memories) await server.ok('add_memory', { content, type }, agent);
  for (const request of createRequests(services, now)) await server.ok('act_on_integration', request, agent);
}

async function link(server: ReachedServer, { google, github, linear, slack }: Services): Promise<void> {
  await linkGoogle(server, google);
  await linkAccount(server, { provider: 'github', source: 'github' }, (url) => github.approve(url, { login: 'ada' }));
  await linkAccount(server, { provider: 'linear', source: 'linear' }, (url) => linear.approve(url, { user: 'Ada' }));
  await linkAccount(server, { provider: 'slack', source: 'slack' }, (url) => slack.approve(url, { user: 'ada' }));
}

const memories = [
  ['Grace Hopper looks after the compiler, and answers mails in the morning.', 'fact'],
  ['We chose brass for the wheels: iron rusts in the river air.', 'decision'],
  ['Ada prefers meetings after one o’clock.', 'preference'],
] as const;

function createRequests({ google }: Services, now: Date) {
  const { threadId: thread_id } = google.seedMail(account, {
    from: 'Grace Hopper <grace@navy.example>',
    subject: 'Release on Thursday?',
    text: 'Hi Ada,\n\ncan we release on Thursday? The third wheel holds.\n\nGrace',
  });
  const day = (days: number, time: string) =>
    `${new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)}T${time}:00Z`;
  const { id: event_id } = google.seedEvent(account, {
    summary: 'Release review',
    start: day(2, '10:00'),
    end: day(2, '11:00'),
    attendees: [{ email: 'grace@navy.example' }],
  });
  const reply = {
    to: ['grace@navy.example'],
    subject: 'Re: Release on Thursday?',
    body: 'Hi Grace,\n\nThursday is fine. I moved the review to the afternoon.\n\nAda',
    thread_id,
  };
  return [
    { source: 'slack', action_name: 'post_message', input: { channel: '#engine', text: 'We release on Thursday.' } },
    {
      source: 'linear',
      action_name: 'update_issue',
      input: { issue: 'ENG-1', state: 'In Progress', priority: 'high' },
    },
    {
      source: 'calendar',
      action_name: 'update_event',
      input: { event_id, start: day(2, '13:30'), end: day(2, '14:30') },
    },
    { source: 'gmail', action_name: 'send_email', input: reply },
  ];
}
