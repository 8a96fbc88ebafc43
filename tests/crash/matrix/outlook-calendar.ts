import type { MicrosoftEmulator } from '#emulators/microsoft/index';
import type { Subject } from './upstream.ts';

const start = { dateTime: '2026-06-01T10:00:00.0000000', timeZone: 'UTC' };
const end = { dateTime: '2026-06-01T11:00:00.0000000', timeZone: 'UTC' };

export function createOutlookEventSubjects(microsoft: MicrosoftEmulator, ada: string): Subject[] {
  const source = 'outlook_calendar';
  const called = (subject: string) => microsoft.events(ada).filter((event) => event.subject === subject);
  const seeded = (subject: string, of: { invitedBy?: string } = {}) => ({
    event_id: microsoft.seedEvent(ada, { subject, start, end, ...of }).id,
  });
  return [
    {
      name: 'outlook_calendar create_event',
      handle: 'chosen_id',
      request: (summary) => ({
        source,
        action_name: 'create_event',
        input: { summary, start: '2026-06-01T12:00:00+02:00', end: '2026-06-01T13:00:00+02:00' },
      }),
      visible: (summary) => called(summary).length,
      requests: (summary) => [{ method: 'POST', path: /\/events$/, body: new RegExp(summary) }],
    },
    {
      name: 'outlook_calendar update_event',
      handle: 'state',
      request: (summary) => ({
        source,
        action_name: 'update_event',
        input: { ...seeded(`before ${summary}`), summary },
      }),
      visible: (summary) => called(summary).length,
      requests: (summary) => [{ method: 'PATCH', path: /\/events\//, body: new RegExp(summary) }],
    },
    {
      name: 'outlook_calendar delete_event',
      handle: 'state',
      request: (subject) => ({ source, action_name: 'delete_event', input: seeded(subject) }),
      visible: (subject) => 1 - called(subject).length,
      requests: () => [{ method: 'DELETE', path: /\/events\// }],
    },
    {
      name: 'outlook_calendar respond_to_event',
      handle: 'state',
      request: (subject) => ({
        source,
        action_name: 'respond_to_event',
        input: { ...seeded(subject, { invitedBy: 'grace@example.net' }), response: 'accept' },
      }),
      visible: (subject) => called(subject).filter(({ response }) => /accepted|tentative/.test(response)).length,
      requests: () => [{ method: 'POST', path: /\/(accept|tentativelyAccept)$/ }],
      edits: { response: 'tentative' },
    },
  ];
}
