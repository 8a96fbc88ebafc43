import type { Account, GoogleEmulator } from '#emulators/google/index';
import type { Subject } from './upstream.ts';

const times = { start: '2027-06-01T12:00:00Z', end: '2027-06-01T13:00:00Z' };
const grace = 'grace@example.net';

export function createCalendarSubjects(google: GoogleEmulator, { email, calendars }: Account): Subject[] {
  const ids = new Map<string, string>();
  const called = (summary: string) =>
    [...calendars.calendars.values()]
      .flatMap(({ events }) => [...events.values()])
      .filter(({ content }) => content.summary === summary);
  const there = (summary: string) => called(summary).filter(({ status }) => status !== 'cancelled').length;

  function seeded(marker: string, of: Partial<Parameters<GoogleEmulator['seedEvent']>[1]> = {}): { event_id: string } {
    const { id } = google.seedEvent(email, { summary: marker, ...times, ...of });
    ids.set(marker, id);
    return { event_id: id };
  }

  return [
    {
      name: 'calendar create_event',
      handle: 'chosen_id',
      request: (summary) => ({ source: 'calendar', action_name: 'create_event', input: { summary, ...times } }),
      visible: there,
      requests: (summary) => [{ method: 'POST', path: /\/events$/, body: new RegExp(summary) }],
    },
    {
      name: 'calendar update_event',
      handle: 'state',
      request: (summary) => ({
        source: 'calendar',
        action_name: 'update_event',
        input: { ...seeded(`before ${summary}`), summary },
      }),
      visible: there,
      requests: (summary) => [{ method: 'PATCH', path: /\/events\//, body: new RegExp(summary) }],
    },
    {
      name: 'calendar delete_event',
      handle: 'state',
      request: (marker) => ({ source: 'calendar', action_name: 'delete_event', input: seeded(marker) }),
      visible: (marker) => called(marker).length - there(marker),
      requests: (marker) => [{ method: 'DELETE', path: new RegExp(`/events/${ids.get(marker)}$`) }],
      edits: { send_updates: 'externalOnly' },
    },
    {
      name: 'calendar respond_to_event',
      handle: 'state',
      request: (marker) => ({
        source: 'calendar',
        action_name: 'respond_to_event',
        input: {
          ...seeded(marker, { organizer: grace, attendees: [{ email: grace }, { email }] }),
          response: 'accept',
        },
      }),
      visible: (marker) =>
        called(marker).filter(({ content }) =>
          content.attendees?.some(
            (each) => each.email === email && /accepted|tentative/.test(each.responseStatus ?? ''),
          ),
        ).length,
      requests: (marker) => [{ method: 'PATCH', path: new RegExp(`/events/${ids.get(marker)}$`) }],
      edits: { response: 'tentative' },
    },
  ];
}
