// What is written in Outlook's calendar. It makes one event of a transaction id, however often it is asked to.
// https://learn.microsoft.com/graph/api/resources/event
import type { Call } from './pieces.ts';
import type { Before, Comparison, Field, Lookup, Write } from './write.ts';

const headers = { prefer: 'IdType="ImmutableId", outlook.body-content-type="text"' };
const nextLink = "'@odata.nextLink'";
const etag = "'@odata.etag'";

const eventId: Field = {
  kind: 'line',
  label: 'Event',
  about: 'Its event_id, as its page or an action has it.',
  most: 500,
};
const summary: Field = { kind: 'line', label: 'What', most: 255 };
const start: Field = {
  kind: 'time',
  label: 'Start',
  about: 'With its offset, such as 2026-06-01T12:00:00+02:00, or a whole day.',
};
const end: Field = { ...start, label: 'End', about: 'As start; of whole days, the day after the last.' };
const rest = {
  location: { kind: 'line', label: 'Where', isOptional: true },
  description: { kind: 'text', label: 'Description', most: 30_000, isOptional: true },
  attendees: { kind: 'addresses', label: 'Attendees', most: 200, isOptional: true },
} as const satisfies Record<string, Field>;
const editable = ['summary', 'description', 'location', 'start', 'end', 'attendees'];

function at(name: 'start' | 'end') {
  return { $when: `input.${name}`, $of: { dateTime: `{{time.${name}.utc}}`, timeZone: 'UTC' } };
}

const content = {
  subject: '{{input.summary}}',
  start: at('start'),
  end: at('end'),
  isAllDay: '{{time.start.is_day}}',
  location: { $when: 'input.location', $of: { displayName: '{{input.location}}' } },
  body: { $when: 'input.description', $of: { contentType: 'text', content: '{{input.description}}' } },
  attendees: {
    $each: 'input.attendees',
    $as: 'person',
    $of: { emailAddress: { address: '{{person}}' }, type: 'required' },
  },
};

const getEvent: Call = { method: 'GET', path: '/me/events/{{input.event_id}}', headers };
const made = { event_id: '{{item.id}}', html_link: '{{item.webLink}}' };
const noEvent = 'There is no event {{input.event_id}} that this account can see.';
const mailed = [{ label: 'Invitations', text: 'Outlook mails everybody who is invited.' }];

const findEvent: Before = {
  as: 'event',
  one: { call: getEvent, at: '' },
  keep: {
    id: 'id',
    version: etag,
    response: 'responseStatus.response',
    subject: 'subject',
    begins: 'start.dateTime',
    is_day: 'isAllDay',
    guests: 'attendees.*.emailAddress.address',
    organizer: 'organizer.emailAddress.address',
    hides: 'hideAttendees',
  },
  missing: noEvent,
};

const shown = [
  { label: 'Event', text: '{{event.subject}} ({{event.id}})' },
  // In UTC, as nothing else is asked for.
  { label: 'Event begins', text: '{{event.begins}}Z', when: { at: 'event.is_day', isNot: [true] } },
  { label: 'Event begins', text: '{{event.begins}}', when: { at: 'event.is_day' } },
];
const about = '{{event.subject}}';
const toGuests: NonNullable<Write['known']> = {
  about,
  shown,
  people: [
    { label: 'Guests now', at: 'event.guests' },
    { label: 'Organizer', at: 'event.organizer' },
  ],
  hiddenWhen: [{ at: 'event.hides' }],
};

const createEvent: Write = {
  name: 'create_event',
  example: { summary: 'Lunch', start: '2027-06-01T12:00:00+02:00', end: '2027-06-01T13:00:00+02:00' },
  summary: 'Create a calendar event.',
  risk: 'write',
  fields: { summary, start, end, ...rest },
  span: { from: 'start', to: 'end' },
  editable,
  recipients: ['attendees'],
  target: 'event in the calendar',
  title: 'Event {{input.summary}}, {{input.start}}',
  notes: mailed,
  handle: 'chosen_id',
  call: { method: 'POST', path: '/me/events', headers, body: { ...content, transactionId: '{{draft.chosen_id}}' } },
  at: '',
  result: made,
  // Lists of events cannot be asked for a transaction id; an event says its own to the application that chose it.
  lookups: [
    {
      listing: {
        call: {
          method: 'GET',
          path: '/me/calendarView',
          headers,
          queryParams: { startDateTime: '{{time.start.utc}}Z', endDateTime: '{{time.end.utc}}Z', $top: 100 },
        },
        items: 'value',
        paging: { by: 'url', at: nextLink },
      },
      where: [{ at: 'transactionId', is: '{{draft.chosen_id}}' }],
    },
  ],
  undo: {
    says: 'Delete the event again',
    forMinutes: 60,
    steps: [{ call: { method: 'DELETE', path: '/me/events/{{result.event_id}}', headers } }],
  },
};

const isAsSaid: readonly Comparison[] = [
  { at: 'subject', is: '{{input.summary}}' },
  { at: 'start.dateTime', contains: '{{time.start.utc}}' },
  { at: 'end.dateTime', contains: '{{time.end.utc}}' },
  { at: 'location.displayName', is: '{{input.location}}' },
  { at: 'body.content', is: '{{input.description}}' },
  { at: 'attendees.*.emailAddress.address', is: '{{input.attendees}}' },
];

const updateEvent: Write = {
  name: 'update_event',
  reachesOthers: true,
  example: { event_id: 'AAMkAGI2', location: 'Corner café' },
  summary: 'Change a calendar event.',
  risk: 'write',
  fields: {
    event_id: eventId,
    summary: { ...summary, isOptional: true },
    start: { ...start, isOptional: true },
    end: { ...end, isOptional: true },
    ...rest,
  },
  oneOf: editable,
  span: { from: 'start', to: 'end' },
  editable,
  recipients: ['attendees'],
  target: 'event {{input.event_id}}',
  known: toGuests,
  title: 'Change an event',
  notes: mailed,
  handle: 'state',
  before: [findEvent],
  call: { method: 'PATCH', path: '/me/events/{{event.id}}', headers, body: content },
  at: '',
  result: made,
  lookups: [{ one: { call: getEvent, at: '' }, where: isAsSaid, version: { at: etag, was: '{{event.version}}' } }],
};

const deleteEvent: Write = {
  name: 'delete_event',
  reachesOthers: true,
  example: { event_id: 'AAMkAGI2' },
  summary: 'Delete a calendar event.',
  risk: 'destructive',
  fields: { event_id: eventId },
  editable: [],
  target: 'event {{input.event_id}}',
  known: toGuests,
  title: 'Delete an event',
  notes: [
    { label: 'Invitations', text: 'If it is yours, Outlook mails everybody who is invited that it is cancelled.' },
  ],
  handle: 'state',
  before: [findEvent],
  call: { method: 'DELETE', path: '/me/events/{{event.id}}', headers },
  at: '',
  result: { event_id: '{{event.id}}' },
  lookups: [{ one: { call: getEvent, at: '' }, isGone: true }],
};

/** Outlook takes a declined event out of the calendar: it is gone, or its response is no longer the one it was. */
const isDeclined: Lookup = {
  when: { at: 'input.response', isOneOf: ['decline'] },
  one: { call: getEvent, at: '' },
  where: [{ at: 'responseStatus.response', is: '{{event.response}}' }],
  isGone: true,
};

const respondToEvent: Write = {
  name: 'respond_to_event',
  reachesOthers: true,
  example: { event_id: 'AAMkAGI2', response: 'decline', comment: 'I am away that day.' },
  summary: 'Answer an invitation.',
  risk: 'write',
  fields: {
    event_id: eventId,
    response: {
      kind: 'choice',
      label: 'Answer',
      options: { accept: 'Accept', decline: 'Decline', tentative: 'Tentative' },
      sent: { accept: 'accept', decline: 'decline', tentative: 'tentativelyAccept' },
    },
    comment: { kind: 'text', label: 'Comment', about: 'To the organizer.', most: 4_000, isOptional: true },
  },
  editable: ['response', 'comment'],
  target: 'invitation {{input.event_id}}',
  known: { about, shown, people: [{ label: 'Organizer', at: 'event.organizer', isSomebody: true }] },
  title: 'Answer an invitation',
  notes: [{ label: 'Goes to', text: 'Whoever invited you.' }],
  handle: 'state',
  before: [
    {
      ...findEvent,
      where: [{ at: 'isOrganizer', is: 'false' }],
      missing: 'There is no event {{input.event_id}} that this account was invited to.',
    },
  ],
  call: {
    method: 'POST',
    path: '/me/events/{{event.id}}/{{sent.response}}',
    headers,
    body: { comment: '{{input.comment}}', sendResponse: true },
  },
  at: '',
  result: { event_id: '{{event.id}}' },
  lookups: [
    isDeclined,
    {
      one: { call: getEvent, at: '' },
      where: [{ at: 'responseStatus.response', contains: '{{input.response}}' }],
      version: { at: 'responseStatus.response', was: '{{event.response}}' },
    },
  ],
};

/** What can be written in Outlook's calendar. */
export const outlookCalendarWrites: readonly Write[] = [createEvent, updateEvent, deleteEvent, respondToEvent];
