import { expect, test } from 'vitest';
import { narrowToEditedPart } from './edited-part.ts';

const edited = { by: 'Ada', at: '2027-06-01T12:00:00Z', was: { input: { title: 'Oil' } } };
const payload = { install_id: 'i1', action: 'create_note', input: { title: 'Oil the gears' } };

test('of an action of a recipe its input is edited', () => {
  const { payload: fields, edited: before } = narrowToEditedPart({ source: 'recipes', payload, edited });
  expect([fields, before?.was]).toEqual([{ title: 'Oil the gears' }, { title: 'Oil' }]);
});

test('of any other action the payload itself is edited, also a field called input', () => {
  const draft = { source: 'http', payload, edited: null };
  expect(narrowToEditedPart(draft)).toBe(draft);
});
