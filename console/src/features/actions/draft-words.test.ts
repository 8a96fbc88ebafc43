import { expect, test } from 'vitest';
import { doneWord } from './draft-words.ts';

test('an approved action says what was done', () => {
  expect(doneWord('send_email')).toBe('Sent');
  expect(doneWord('create_event')).toBe('Created');
  expect(doneWord('update_issue')).toBe('Updated');
  expect(doneWord('trash_thread')).toBe('Deleted');
});

test('an action with another verb is done', () => {
  expect(doneWord('water_plants')).toBe('Done');
});
