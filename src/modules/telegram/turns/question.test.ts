import { expect, test } from 'vitest';
import { parseCommand } from './commands.ts';
import { isQuestion } from './question.ts';

test.each([
  'Is the harbour open?',
  'the dentist ?',
  'where is the spare key',
  "what's the code of the gate",
  'Wo liegt der Schlüssel',
  'Quand part le train',
  '他是谁？',
  'Really?!?',
])('the text «%s» is a question', (said) => expect(isQuestion(said)).toBe(true));

test.each([
  'The spare key is under the stone',
  'When I was in Paris I met a man who sold lanterns.',
  'How to brew: two spoons, four minutes',
  'Who came today: Noah, Grace',
  'Whatever',
  'Was at the dentist today',
])('the text «%s» is a statement', (said) => expect(isQuestion(said)).toBe(false));

test.each([
  ['/find  the key ', { name: 'find', words: 'the key' }],
  ['/Undo', { name: 'undo', words: '' }],
  ['/save@brain_bot two\nlines', { name: 'save', words: 'two\nlines' }],
  ['/ find', null],
  ['1/2 of it', null],
  ['/etc/hosts is wrong', null],
])('the text «%s» is read as the command %o', (said, command) => expect(parseCommand(said)).toEqual(command));
