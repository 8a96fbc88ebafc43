import { expect, test } from 'vitest';
import { listFormChanges, findMomentKind, formatUntouchedField } from './form-values.ts';

const editable = ['summary', 'location', 'start', 'end', 'attendees'];
const present = {
  location: 'Hall',
  start: '2027-06-01T12:00:00Z',
  end: '2027-06-01T13:00:00Z',
  attendees: 'a@x.org, b@x.org',
};
const change = { payload: { event_id: 'e1', summary: 'New' }, present, editable };

function createForm(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const field of editable) form.set(field, values[field] ?? '');
  return form;
}

test('a field that a change does not touch is shown as unchanged, with its present value', () => {
  expect(formatUntouchedField(change, 'location')).toBe('Hall');
  expect(formatUntouchedField(change, 'attendees')).toBe('a@x.org\nb@x.org');
  expect(formatUntouchedField({ ...change, present: {} }, 'location')).toBe('');
  expect(formatUntouchedField(change, 'summary')).toBeNull();
  expect(formatUntouchedField({ payload: { summary: 'Lunch' }, present: {}, editable }, 'location')).toBeNull();
});

test('an untouched field that stays empty is not sent', () => {
  expect(listFormChanges(createForm({ summary: 'Newer' }), change)).toEqual({ summary: 'Newer' });
});

test('a moment of the present event stays a moment: the form asks for a time, and sends an offset', () => {
  expect(findMomentKind({ ...present, ...change.payload }, 'end')).toBe('clock');
  expect(findMomentKind({ ...present, event_id: 'e1', end: '2026-12-17' }, 'start')).toBe('clock');
  const { end } = listFormChanges(createForm({ summary: 'New', end: '2027-06-01T15:30' }), change);
  expect(end).toMatch(/^2027-06-01T15:30:00[+-]\d{2}:\d{2}$/);
});

test('an end that only the person gives has the offset of their own time zone', () => {
  const draft = { payload: { event_id: 'e1', start: '2027-06-01T12:00:00Z' }, present: {}, editable: ['end'] };
  expect(listFormChanges(createForm({ end: '2027-06-01T15:30' }), draft)['end']).toMatch(/^2027-06-01T15:30:00[+-]/);
});
