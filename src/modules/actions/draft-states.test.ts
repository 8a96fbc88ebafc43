import { expect, test } from 'vitest';
import { draftStates, isFinalState, mayFollow } from './draft-states.ts';

test('a decided draft changes only when the provider’s own answer comes late, or when it is undone', () => {
  const changes = draftStates
    .filter(isFinalState)
    .flatMap((from) => draftStates.filter((to) => mayFollow(from, to)).map((to) => `${from} → ${to}`));
  expect(changes).toEqual(['failed → confirmed', 'confirmed → undone']);
});

test('only a pending draft can be confirmed', () => {
  expect(draftStates.filter((from) => mayFollow(from, 'confirming'))).toEqual(['pending']);
});
