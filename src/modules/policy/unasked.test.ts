import type { Rule } from '#kernel/rule';
import { expect, test } from 'vitest';
import type { ActionKind } from './ask-policy.ts';
import { listUnaskedActions } from './unasked.ts';

const createActionKind = (
  source: string,
  name: string,
  risk: ActionKind['risk'] = 'write',
  requiresConfirmation = true,
): ActionKind => ({
  source,
  name,
  risk,
  requiresConfirmation,
});
const actions = [
  createActionKind('gmail', 'send_email'),
  createActionKind('gmail', 'mark_as_read', 'write', false),
  createActionKind('outlook', 'send_email'),
  createActionKind('calendar', 'delete_event', 'destructive'),
];

const listUnasked = (rules: readonly Rule[], floor: readonly Rule[] = []) =>
  listUnaskedActions({ rules, floor }, actions).map(({ source, action, when }) => `${source}/${action} ${when}`);
const all = actions.map(({ source, name }) => `${source}/${name} always`);
const mail = actions.filter(({ name }) => name === 'send_email').map(({ source }) => `${source}/send_email`);

test('without rules everything needs approval, and a rule that allows everything lets all actions pass', () => {
  expect(listUnasked([])).toEqual([]);
  expect(listUnasked([{ effect: 'allow' }])).toEqual(all);
});

test('a rule for one action allows that action, and a rule for some recipients, targets or accounts only sometimes', () => {
  const as = (when: string) => mail.map((name) => `${name} ${when}`);
  expect(listUnasked([{ effect: 'allow', actions: ['send_email'] }])).toEqual(as('always'));
  for (const some of [
    { every_recipient: '*@example.com' },
    { target: 'mail to *' },
    { account: 'ada@example.com' },
    { callers: ['key' as const] },
    { more_recipients_than: 3 },
  ])
    expect(listUnasked([{ effect: 'allow', actions: ['send_email'], ...some }])).toEqual(as('sometimes'));
});

test('a stricter rule above, or the floor, limits the rule below', () => {
  expect(listUnasked([{ effect: 'require_approval' }, { effect: 'allow' }])).toEqual([]);
  expect(listUnasked([{ effect: 'allow' }], [{ effect: 'require_human' }])).toEqual([]);
  const some = listUnasked([{ effect: 'allow' }], [{ effect: 'block', every_recipient: '*@rival.example' }]);
  expect(some).toEqual(all.map((each) => each.replace('always', 'sometimes')));
  const alone = listUnasked([{ effect: 'require_human', actions: ['send_email'] }, { effect: 'allow' }]);
  expect(alone.filter((each) => each.includes('/send_email'))).toEqual([]);
  expect(alone.length).toBe(all.length - mail.length);
});

test('a rule for reading, or for people on the console, allows no action of an agent', () => {
  expect(listUnasked([{ effect: 'allow', risks: ['read'] }])).toEqual([]);
  expect(listUnasked([{ effect: 'allow', actions: ['read'] }])).toEqual([]);
  expect(listUnasked([{ effect: 'allow', callers: ['session'] }])).toEqual([]);
});
