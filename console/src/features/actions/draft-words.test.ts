import { expect, test } from 'vitest';
import { outcomeWord } from './draft-words.ts';

test('a known action has a sentence of its own once it is approved', () => {
  expect(outcomeWord('send_email')).toBe('Sent');
  expect(outcomeWord('create_event')).toBe('Created');
  expect(outcomeWord('update_issue')).toBe('Updated');
  expect(outcomeWord('trash_thread')).toBe('Deleted');
});

test('an action with another verb gets the word “done”', () => {
  expect(outcomeWord('water_plants')).toBe('Done');
});
