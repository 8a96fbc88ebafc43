// Outlook's calendar. https://learn.microsoft.com/graph/delta-query-events
import { formatText, readValue } from '#providers/http';
import {
  createReadApi,
  createReadValue,
  defineStream,
  defineStreamSource,
  describeWholeDays,
  isDay,
  joinBlocks,
  readFields,
  writeBlock,
  writeText,
  type AnyStream,
  type ItemContent,
  type ReadApi,
  type ReadValue,
} from '#providers/reading';
import { microsoftApi } from './account.ts';
import { graphList } from './folders.ts';
import { preferDelta } from './prefer.ts';

export const outlookCalendar = defineStreamSource({
  name: 'outlook_calendar',
  label: 'Outlook calendar',
  icon: 'CalendarDays',
  description: 'Events of your calendar become pages. Events are created, changed and answered with your approval.',
  coverage: {
    goesBack: 'Events from the chosen days until a year ahead; then every change of them.',
    notRead: ['Calendars other than your primary one.', 'Attachments of events.'],
  },
  provider: 'microsoft',
  scopes: [
    { scope: 'Calendars.Read', why: 'Read your calendar.' },
    {
      scope: 'Calendars.ReadWrite',
      why: 'Write events and answer invitations with your approval.',
      for: 'act',
    },
  ],
  // Half of the future that is read: the address for changes keeps the end date of its first request.
  renewedAfterDays: 180,
  openStreams: (reader) => [createEvents(createReadApi(microsoftApi, reader))],
});

function createEvents(api: ReadApi): AnyStream {
  return defineStream({
    name: 'events',
    type: 'calendar_event',
    async listPage({ since, until, page }) {
      const query = { startDateTime: since, endDateTime: until };
      const request = { path: '/me/calendarView/delta', headers: { prefer: preferDelta }, query };
      const answer = await api.askPage(request, graphList, { url: page });
      return { ...answer, changesAt: formatText(readValue(answer.data, "'@odata.deltaLink'")) || null };
    },
    since: { as: 'iso' },
    readTimes: (event) => [readValue(event, 'lastModifiedDateTime')],
    tellsChanges: true,
    buildRef: (event) => formatText(readValue(event, 'id')),
    isGone: (event) => Boolean(readValue(event, "'@removed'")),
    readItem: async (event) => readEvent(event),
  });
}

function readEvent(event: unknown): ItemContent {
  const read = createReadValue(event);
  const { when, ...times } = readEventTimes(read);
  return {
    title: formatText(read('subject')).trim(),
    body: joinBlocks([
      writeBlock`When: ${when}`,
      writeBlock`Where: ${read('location.displayName')}`,
      writeBlock`Organizer: ${read('organizer.emailAddress.address')}`,
      writeBlock`Attendees: ${read('attendees.*.emailAddress.address')}`,
      formatText(read('body.content')).trim(),
    ]),
    frontmatter: {
      ...readFields(read, {
        event_id: 'id',
        location: 'location.displayName',
        attendees: 'attendees.*.emailAddress.address',
        organizer: 'organizer.emailAddress.address',
        link: 'webLink',
      }),
      ...times,
    },
    author: formatText(read('organizer.emailAddress.name')),
    occurredAt: writeText`${read('start.dateTime')}Z`,
  };
}

/** Graph gives all-day events as midnights: only the dates count, because the zone of the midnights is arbitrary. */
function readEventTimes(read: ReadValue) {
  const [start, end] = [writeText`${read('start.dateTime')}Z`, writeText`${read('end.dateTime')}Z`];
  const [first, after] = [start.slice(0, 10), end.slice(0, 10)];
  if (!read('isAllDay') || !isDay(first)) {
    return {
      when: writeText`${read('start.dateTime')} to ${read('end.dateTime')} (UTC)`,
      start: start || null,
      end: end || null,
      all_day: false,
    };
  }
  const last = isDay(after) ? after : undefined;
  return { when: describeWholeDays(first, last), start: first, end: last ?? null, all_day: true };
}
