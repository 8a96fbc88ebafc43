import { expect, test } from 'vitest';
import { toOurFields, toOurName } from './other-names.ts';
import { integrationActions } from '#providers';

test.each([
  ['gmail', 'mark_read', { thread_id: '1' }],
  ['gmail', 'add_labels', { thread_id: '1', labels: ['Invoices'] }],
  ['monday', 'add_comment', { item_id: '1', text: 'Oiled.' }],
  ['linear', 'add_comment', { issue_id: 'ENG-1', comment: 'Mended.' }],
  ['github', 'add_comment', { owner: 'octo', repo: 'engine', issue_number: 1, comment: 'Mended.' }],
  ['notion', 'add_comment', { page_id: 'Gears', comment: 'Is this so?' }],
])('at %s the alternative name %s means our action with the same fields', (source, name, given) => {
  const action = integrationActions.find((each) => each.source === source && each.name === toOurName(source, name));
  expect(Object.keys(action?.payload.shape ?? {})).toEqual(
    expect.arrayContaining(Object.keys(toOurFields(source, name, given))),
  );
});

test('a name that only this server has stays unchanged', () => {
  expect(toOurName('gmail', 'send_email')).toBe('send_email');
  expect(toOurFields('linear', 'add_comment', { body: 'Ours', comment: 'Theirs' })).toEqual({ body: 'Ours' });
});
