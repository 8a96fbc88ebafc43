import { expect, test } from 'vitest';
import { listNamedAddresses, readRequest } from './read-request.ts';

test.each([
  [
    'Mail ana@example.com, subject: Hello, body: See you.',
    { to: ['ana@example.com'], subject: 'Hello', body: 'See you.' },
  ],
  [
    'Please send a mail to ana@example.com and bo@example.com, cc eve@example.com, subject: Your message of Friday, body: Thanks.',
    { to: ['ana@example.com', 'bo@example.com'], cc: ['eve@example.com'], subject: 'Your message of Friday' },
  ],
  [
    'Write to ana@example.com subject: "A, body: of work"; body: "Read it."',
    { subject: 'A, body: of work', body: 'Read it.' },
  ],
])('the request %s is a mail', (request, payload) => {
  expect(readRequest('gmail', request)).toMatchObject({ kind: 'action', action: 'send_email', payload });
});

test.each([
  'Mail ana@example.com but not eve@rival.com, subject: Hello, body: Hi',
  'Mail ana@example.com instead of eve@rival.com, subject: Hello, body: Hi',
  'Mail everybody except ana@example.com, subject: Hello, body: Hi',
  'Do not mail ana@example.com, subject: Hello, body: Hi',
  'Mail Ana, who was ana@example.com before, subject: Hello, body: Hi',
  'Mail ana@example.com, subject: Hello',
  'Tell ana@example.com that we are in',
])('the request %s is not an exact mail, and gets a question back', (request) => {
  expect(readRequest('gmail', request)).toMatchObject({
    kind: 'clarification',
    question: expect.stringContaining('to, cc, bcc, subject and body'),
  });
});

test('an event has its own time zone, whatever the zone of the server', () => {
  const request = 'Create "Lunch" on 2027-06-01 from 12:00 to 13:00 +02:00 with ana@example.com';
  expect(readRequest('calendar', request)).toEqual({
    kind: 'action',
    action: 'create_event',
    payload: {
      summary: 'Lunch',
      start: '2027-06-01T12:00:00+02:00',
      end: '2027-06-01T13:00:00+02:00',
      attendees: ['ana@example.com'],
    },
  });
});

test.each([
  'Create "Lunch" on 2027-06-01 from 12:00 to 13:00',
  'Create "Lunch" tomorrow at noon',
  'Create "Lunch" on 2027-06-01 from 12:00 to 13:00 UTC without ana@example.com',
])('the request %s is not an exact event, and gets a question back', (request) => {
  expect(readRequest('calendar', request)).toMatchObject({ kind: 'clarification' });
});

test('a request for a file needs its exact form', () => {
  expect(readRequest('drive', 'Create a file "notes.txt" with content: one')).toMatchObject({
    payload: { name: 'notes.txt', content: 'one' },
  });
  expect(readRequest('drive', 'Create a file notes.txt with one')).toMatchObject({ kind: 'clarification' });
});

test('the addresses of a text are whole addresses', () => {
  expect(listNamedAddresses('diana@example.com.evil.com, <bo@example.com>')).toEqual([
    'diana@example.com.evil.com',
    'bo@example.com',
  ]);
});
