import { expect, test } from 'vitest';
import { doneWord } from './draft-words.ts';

test('a known action has a sentence of its own once it is approved', () => {
  expect(doneWord('send_email')).toBe('Sent');
  expect(doneWord('create_event')).toBe('Created');
  expect(doneWord('update_issue')).toBe('Updated');
  expect(doneWord('trash_thread')).toBe('Deleted');
});

test('an action with another verb gets the word “done”', () => {
  expect(doneWord('water_plants')).toBe('Done');
});
