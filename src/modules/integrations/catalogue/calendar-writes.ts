// What is changed in Google Calendar. An event says which version it is, and is changed only if it still is that one.
// https://developers.google.com/workspace/calendar/api/v3/reference/events
import type { Api, Call } from './pieces.ts';
import type { Before, Field, Lookup, Write } from './write.ts';

/** Google Calendar's API. */
export const calendarApi: Api = { baseUrl: 'https://www.googleapis.com/calendar/v3' };

const eventPath = '/calendars/{{input.calendar_id}}/events/{{input.event_id}}';
const headers = { 'if-match': '{{event.version}}' };
const toGuests = { sendUpdates: '{{input.send_updates}}' };
/** In UTC, so that moments can be compared. */
const get: Call = { method: 'GET', path: eventPath, queryParams: { timeZone: 'UTC' } };

const event_id: Field = {
  kind: 'line',
  label: 'Event',
  about: 'Its event_id, as its page or an action has it.',
  most: 1_024,
};
const calendar_id: Field = { kind: 'line', label: 'Calendar', default: 'primary' };
const send_updates: Field = {
  kind: 'choice',
  label: 'Invitations',
  about: 'Who is mailed about it.',
  options: {
    all: 'All attendees are mailed',
    externalOnly: 'Only outside attendees are mailed',
    none: 'Nobody is mailed',
  },
  default: 'all',
};
const time: Field = {
  kind: 'time',
  label: 'Start',
  about: 'With its offset, or a whole day; with end.',
  isOptional: true,
};
const result = { event_id: '{{input.event_id}}', html_link: '{{item.htmlLink}}' };

/** An event that was deleted is still answered, as cancelled. */
const isThere = { at: 'status', lacks: 'cancelled' };

const findEvent: Before = {
  as: 'event',
  one: { call: get, at: '' },
  where: [isThere],
  keep: {
    version: 'etag',
    summary: 'summary',
    day: 'start.date',
    moment: 'start.dateTime',
    guests: 'attendees.*.email',
    organizer: 'organizer.email',
    is_cut: 'attendeesOmitted',
    is_seen: 'guestsCanSeeOtherGuests',
  },
  missing: 'There is no event {{input.event_id}} in the calendar {{input.calendar_id}} that this account can see.',
};

/** Its own calendar is `primary`, and known by the address of the account, too. */
function known(noun: string): NonNullable<Write['known']> {
  return {
    also: [
      {
        as: 'calendar',
        one: { call: { method: 'GET', path: '/users/me/calendarList/{{input.calendar_id}}' }, at: '' },
        keep: { id: 'id', name: 'summary', own_name: 'summaryOverride', is_primary: 'primary' },
        missing: 'There is no calendar {{input.calendar_id}} in the list of this account.',
      },
    ],
    names: [
      `${noun} in {{calendar.id}}`,
      `${noun} in {{calendar.name}}`,
      `${noun} in {{calendar.own_name}}`,
      { text: `${noun} in primary`, when: { at: 'calendar.is_primary' } },
    ],
    about: '{{event.summary}}',
    shown: [
      { label: 'Event', text: '{{event.summary}} ({{input.event_id}})' },
      { label: 'Event begins', text: '{{event.day}}' },
      { label: 'Event begins', text: '{{event.moment}}' },
      { label: 'Calendar', text: '{{calendar.name}} ({{calendar.id}})' },
    ],
    people: [
      { label: 'Guests now', at: 'event.guests' },
      { label: 'Organizer', at: 'event.organizer' },
    ],
    hiddenWhen: [{ at: 'event.is_cut' }, { at: 'event.is_seen', isOneOf: [false] }],
  };
}

function at(name: 'start' | 'end') {
  return { $when: `input.${name}`, $of: { date: `{{time.${name}.day}}`, dateTime: `{{time.${name}.moment}}` } };
}

const updateEvent: Write = {
  name: 'update_event',
  reachesOthers: true,
  example: { event_id: 'b7k2m9q4', start: '2027-06-01T14:00:00+02:00', end: '2027-06-01T15:00:00+02:00' },
  summary: 'Change a calendar event.',
  risk: 'write',
  fields: {
    event_id,
    summary: { kind: 'line', label: 'What', most: 1_000, isOptional: true },
    start: time,
    end: { ...time, label: 'End', about: 'As start; of whole days, the day after the last.' },
    location: { kind: 'line', label: 'Where', most: 1_000, isOptional: true },
    attendees: {
      kind: 'addresses',
      label: 'Attendees',
      about: 'All of them: who is not named is no longer invited.',
      most: 200,
      isOptional: true,
    },
    description: { kind: 'text', label: 'Description', most: 8_000, isOptional: true },
    send_updates,
    calendar_id,
  },
  oneOf: ['summary', 'start', 'end', 'location', 'attendees', 'description'],
  span: { from: 'start', to: 'end' },
  editable: ['summary', 'description', 'location', 'start', 'end', 'attendees', 'send_updates'],
  recipients: ['attendees'],
  target: 'event in {{input.calendar_id}}',
  known: known('event'),
  title: 'Change an event',
  handle: 'state',
  before: [findEvent],
  call: {
    method: 'PATCH',
    path: eventPath,
    headers,
    queryParams: toGuests,
    body: {
      summary: '{{input.summary}}',
      description: '{{input.description}}',
      location: '{{input.location}}',
      start: at('start'),
      end: at('end'),
      attendees: { $each: 'input.attendees', $as: 'person', $of: { email: '{{person}}' } },
    },
  },
  at: '',
  result,
  lookups: [
    {
      one: { call: get, at: '' },
      where: [
        isThere,
        { at: 'summary', is: '{{input.summary}}' },
        { at: 'description', is: '{{input.description}}' },
        { at: 'location', is: '{{input.location}}' },
        { at: 'start.date', is: '{{time.start.day}}' },
        { at: 'start.dateTime', is: '{{time.start.moment}}' },
        { at: 'end.date', is: '{{time.end.day}}' },
        { at: 'end.dateTime', is: '{{time.end.moment}}' },
        { at: 'attendees.*.email', is: '{{input.attendees}}' },
      ],
      version: { at: 'etag', was: '{{event.version}}' },
    },
  ],
};

const isDeleted: Lookup = { one: { call: get, at: '' }, where: [isThere], isGone: true };

const deleteEvent: Write = {
  name: 'delete_event',
  reachesOthers: true,
  example: { event_id: 'b7k2m9q4' },
  summary: 'Delete a calendar event.',
  risk: 'destructive',
  fields: { event_id, send_updates, calendar_id },
  editable: ['send_updates'],
  target: 'event in {{input.calendar_id}}',
  known: known('event'),
  title: 'Delete an event',
  handle: 'state',
  before: [findEvent],
  call: { method: 'DELETE', path: eventPath, headers, queryParams: toGuests },
  at: '',
  result: { event_id: '{{input.event_id}}' },
  lookups: [isDeleted],
};

const notInvited =
  'There is no event {{input.event_id}} in the calendar {{input.calendar_id}} that this account was invited to.';

const respondToEvent: Write = {
  name: 'respond_to_event',
  reachesOthers: true,
  example: { event_id: 'b7k2m9q4', response: 'accept' },
  summary: 'Answer an invitation.',
  risk: 'write',
  fields: {
    event_id,
    response: {
      kind: 'choice',
      label: 'Answer',
      options: { accept: 'Accept', decline: 'Decline', tentative: 'Tentative' },
      sent: { accept: 'accepted', decline: 'declined', tentative: 'tentative' },
    },
    comment: {
      kind: 'text',
      label: 'Comment',
      about: 'Seen by everybody who is invited.',
      most: 1_000,
      isOptional: true,
    },
    send_updates,
    calendar_id,
  },
  editable: ['response', 'comment', 'send_updates'],
  target: 'invitation in {{input.calendar_id}}',
  known: known('invitation'),
  title: 'Answer an invitation',
  handle: 'state',
  before: [
    {
      ...findEvent,
      where: [isThere, { at: 'attendees.*.self', contains: 'true' }],
      missing: notInvited,
    },
    {
      as: 'own',
      listing: { call: get, items: 'attendees', paging: { by: 'none' } },
      where: [{ at: 'self', is: 'true' }],
      keep: { email: 'email', response: 'responseStatus' },
      missing: notInvited,
    },
  ],
  // With `attendeesOmitted` only the row of the participant is changed, and the other rows stay.
  call: {
    method: 'PATCH',
    path: eventPath,
    headers,
    queryParams: toGuests,
    body: {
      attendeesOmitted: true,
      attendees: [{ email: '{{own.email}}', responseStatus: '{{sent.response}}', comment: '{{input.comment}}' }],
    },
  },
  at: '',
  result,
  lookups: [
    {
      listing: { call: get, items: 'attendees', paging: { by: 'none' } },
      which: [{ at: 'self', is: 'true' }],
      where: [
        { at: 'responseStatus', is: '{{sent.response}}' },
        { at: 'comment', is: '{{input.comment}}' },
      ],
      version: { at: 'responseStatus', was: '{{own.response}}' },
    },
  ],
};

/** What is changed in Google Calendar; events are created by code. */
export const calendarWrites: readonly Write[] = [updateEvent, deleteEvent, respondToEvent];
