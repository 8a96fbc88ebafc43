import { expect, test } from 'vitest';
import { approveAllWord, approveWord, findDangerMark, formatDoneMessage, getOutcomeWord } from './draft-words.ts';
import type { Draft } from './requests.ts';

test('a known action has its own sentence once it is approved', () => {
  expect(getOutcomeWord('send_email')).toBe('Sent');
  expect(getOutcomeWord('create_event')).toBe('Created');
  expect(getOutcomeWord('update_issue')).toBe('Updated');
  expect(getOutcomeWord('trash_thread')).toBe('Deleted');
});

test('an action with another verb gets the word “done”', () => {
  expect(getOutcomeWord('water_plants')).toBe('Done');
});

const event = {
  action: 'delete_event',
  payload: { event_id: 'e1', send_updates: 'all' },
  about: 'Offsite',
  preview: { title: 'Delete an event' },
  danger: [{ kind: 'deletes', says: 'It deletes something.', people: 2 }],
} as unknown as Draft; // the other fields do not affect its words

test('the button of a dangerous draft names the act and its recipients', () => {
  expect(approveWord(event)).toBe('Delete event, notify 2 guests');
  expect(approveWord({ ...event, payload: { event_id: 'e1', send_updates: 'none' } })).toBe('Delete event');
  const share = { ...event, action: 'share_file', payload: { file_id: 'f', email: 'ana@example.net' } };
  expect(approveWord({ ...share, danger: [{ kind: 'shares', says: '', people: 1 }] })).toBe(
    'Share file with ana@example.net',
  );
  const mail = { ...event, action: 'send_email', payload: { to: ['x@example.net'], subject: 'Hi' } };
  expect(approveWord({ ...mail, danger: [{ kind: 'new_recipients', says: '', people: 1 }] })).toBe(
    'Send to 1 new person',
  );
  const invited = { ...event, action: 'create_event', payload: { summary: 'Lunch', attendees: ['x@example.net'] } };
  expect(approveWord({ ...invited, danger: [{ kind: 'new_recipients', says: '', people: 2 }] })).toBe(
    'Create event, reaching 2 new people',
  );
  expect(approveWord({ ...mail, danger: [] })).toBe('Approve & send');
});

test('the button of a batch names what it approves', () => {
  const mail = { ...event, action: 'send_email', payload: { to: ['x@example.net'], subject: 'Hi' }, danger: [] };
  const share = { ...event, danger: [{ kind: 'shares' as const, says: '', people: 1 }] };
  expect(approveAllWord([mail, mail])).toBe('Approve 2 mails');
  expect(approveAllWord([event, mail, mail])).toBe('Approve 3: 2 mails, 1 deletion');
  expect(approveAllWord([share, share, { ...event, danger: [] }])).toBe(
    'Approve 3: 2 changes of access, 1 other action',
  );
  expect(approveAllWord([mail])).toBe('Approve 1 mail');
});

test('a dangerous draft has a mark, and any other has none', () => {
  expect(findDangerMark(event)).toBe('Deletes');
  expect(findDangerMark({ danger: [] })).toBeNull();
});

test('a message names what was done to what', () => {
  expect(formatDoneMessage(event)).toBe('Deleted “Offsite”');
  expect(formatDoneMessage({ ...event, about: null })).toBe('Deleted: Delete an event');
  expect(getOutcomeWord('share_file')).toBe('Shared');
});
