import { expect, test } from 'vitest';
import { listAttendees } from './attendees.ts';

test('each reply is read with the address that it belongs to', () => {
  const body =
    'When: 2026-06-01\nAttendees: Noah, Dr. <noah@x.com> (accepted), ana@x.com (maybe), li@x.com (no answer yet), bo@x.com\n\nText';
  expect(listAttendees(['noah@x.com', 'ana@x.com', 'li@x.com', 'bo@x.com', 'gone@x.com', 7], body)).toEqual([
    { email: 'noah@x.com', rsvp: 'accepted' },
    { email: 'ana@x.com', rsvp: 'maybe' },
    { email: 'li@x.com', rsvp: 'none' },
    { email: 'bo@x.com', rsvp: 'none' },
    { email: 'gone@x.com', rsvp: 'none' },
  ]);
});
