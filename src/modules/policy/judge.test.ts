import { expect, test } from 'vitest';
import { isBlockedAnyhow, judge, formatReason, type Subject } from './judge.ts';
import type { Rule } from '#kernel/rule';

const mail: Subject = {
  source: 'gmail',
  action: 'send_email',
  risk: 'write',
  isSafe: false,
  account: 'ada@example.com',
  caller: 'key',
  ownRules: [],
  recipients: ['Ana <ana@example.com>', 'noah@example.com'],
  what: 'mail',
};
const judgeEffect = (rules: readonly Rule[], over: Partial<Subject> = {}, floor: readonly Rule[] = []) =>
  judge({ rules, floor }, { ...mail, ...over }).effect;

test('without rules reading is allowed, writing needs approval, and deleting and mailing many people need a person', () => {
  expect(judgeEffect([], { risk: 'read', action: 'read', recipients: [] })).toBe('allow');
  expect(judgeEffect([])).toBe('require_approval');
  expect(judgeEffect([], { risk: 'destructive' })).toBe('require_human');
  expect(judgeEffect([], { recipients: Array.from({ length: 10 }, (_, n) => `${n}@example.com`) })).toBe(
    'require_approval',
  );
  expect(judgeEffect([], { recipients: Array.from({ length: 11 }, (_, n) => `${n}@example.com`) })).toBe(
    'require_human',
  );
});

test('the first matching rule decides, and the answer names it', () => {
  const rules: Rule[] = [
    { effect: 'block', sources: ['slack'] },
    { effect: 'allow', actions: ['send_email'], note: 'Internal mail.' },
    { effect: 'block' },
  ];
  const verdict = judge({ rules, floor: [] }, mail);
  expect(verdict).toMatchObject({ effect: 'allow', from: 'rules', position: 2 });
  expect(formatReason(verdict)).toBe("Allowed without approval. Rule 2 of the workspace's rules: Internal mail.");
});

test('an action is refused in any case when no recipient and no target could pass', () => {
  const isBlocked = (rules: readonly Rule[], over: Partial<Subject> = {}, floor: readonly Rule[] = []) =>
    isBlockedAnyhow({ rules, floor }, { ...mail, recipients: [], what: '', ...over });
  expect(isBlocked([])).toBe(false);
  expect(isBlocked([{ effect: 'block' }])).toBe(true);
  expect(isBlocked([{ effect: 'block', sources: ['slack'] }])).toBe(false);
  expect(isBlocked([{ effect: 'block', any_recipient: '*@rival.example' }])).toBe(false);
  expect(isBlocked([{ effect: 'allow', every_recipient: '*@example.com' }, { effect: 'block' }])).toBe(false);
  expect(isBlocked([{ effect: 'block', target: 'mail' }, { effect: 'block' }])).toBe(true);
  expect(isBlocked([{ effect: 'allow' }], {}, [{ effect: 'block' }])).toBe(true);
  expect(isBlocked([{ effect: 'allow' }], { ownRules: [{ effect: 'block', risks: ['write'] }] })).toBe(true);
});

test('the floor wins where it is stricter, and never where it is not', () => {
  expect(judgeEffect([{ effect: 'allow' }], {}, [{ effect: 'require_approval' }])).toBe('require_approval');
  expect(judgeEffect([{ effect: 'block' }], {}, [{ effect: 'require_approval' }])).toBe('block');
  expect(judgeEffect([{ effect: 'allow' }], {}, [{ effect: 'block', sources: ['slack'] }])).toBe('allow');
  expect(judgeEffect([], {}, [{ effect: 'allow' }])).toBe('require_approval');
});

test('unknown recipients count as the strictest case: for each rule of a workspace, whatever it says', () => {
  const unknown = { recipients: [], reachesOthers: true };
  expect(judgeEffect([{ effect: 'allow', every_recipient: '*@example.com' }], unknown)).toBe('require_approval');
  expect(judgeEffect([{ effect: 'block', any_recipient: '*@rival.example' }], unknown)).toBe('block');
  expect(judgeEffect([{ effect: 'block', more_recipients_than: 5 }], unknown)).toBe('block');
  const relaxed: Rule[] = [
    { effect: 'require_approval', every_recipient: '*@example.com' },
    { effect: 'require_human' },
  ];
  expect(judgeEffect(relaxed, unknown)).toBe('require_human');
  expect(
    judgeEffect([{ effect: 'allow', every_recipient: '*@example.com' }], { ...unknown, recipients: ['x@y.org'] }),
  ).toBe('require_approval');
  expect(judgeEffect([{ effect: 'allow' }], unknown, [{ effect: 'block', any_recipient: '*@rival.example' }])).toBe(
    'block',
  );
  expect(judgeEffect([], unknown)).toBe('require_approval');
});

test('a rule compares a target by all its names, and by those that it may have', () => {
  const post = { recipients: [], what: 'channel C123', names: ['channel general'] };
  const block: Rule[] = [{ effect: 'block', target: 'channel general' }];
  const allow: Rule[] = [{ effect: 'allow', target: 'channel general' }];
  expect(judgeEffect(block, post)).toBe('block');
  expect(judgeEffect(allow, post)).toBe('allow');
  const unseen = { recipients: [], what: 'channel C123', otherNames: 'channel *' };
  expect(judgeEffect(block, unseen)).toBe('block');
  expect(judgeEffect([{ effect: 'block', target: 'issue *' }], unseen)).toBe('require_approval');
  expect(judgeEffect(allow, unseen)).toBe('require_approval');
  // Whatever its other names are, this one matches.
  expect(judgeEffect([{ effect: 'allow', target: 'channel C123' }, ...block], unseen)).toBe('allow');
  expect(judgeEffect([{ effect: 'allow', target: 'channel C123' }], unseen, block)).toBe('block');
});

test.for<[string, Omit<Rule, 'effect'>, Partial<Subject>, boolean]>([
  ['every recipient of the domain', { every_recipient: '*@example.com' }, {}, true],
  [
    'one recipient outside of it',
    { every_recipient: '*@example.com' },
    { recipients: ['a@example.com', 'b@x.org'] },
    false,
  ],
  ['nobody at all', { every_recipient: '*' }, { recipients: [] }, false],
  ['any recipient', { any_recipient: 'NOAH@*' }, {}, true],
  [
    'an address that only ends like it',
    { every_recipient: '*@example.com' },
    { recipients: ['a@example.com.evil'] },
    false,
  ],
  [
    'a name that looks like an address',
    { any_recipient: '*@example.com' },
    { recipients: ['"a@example.com" <b@evil.org>'] },
    false,
  ],
  ['letters that stand for patterns elsewhere', { any_recipient: 'n.ah@example.com' }, {}, false],
  ['one letter twice', { target: 'a*a' }, { what: 'a' }, false],
  ['a part in the middle', { target: 'event*primary' }, { what: 'event in primary' }, true],
  ['another account', { account: 'grace@*' }, {}, false],
  ['another caller', { callers: ['session'] }, {}, false],
  ['as many recipients as are allowed', { more_recipients_than: 2 }, {}, false],
  ['one more', { more_recipients_than: 1 }, {}, true],
  ['all of several fields', { sources: ['gmail'], risks: ['write'], callers: ['key'], target: 'mail' }, {}, true],
  ['all but one of several fields', { sources: ['gmail'], risks: ['destructive'], callers: ['key'] }, {}, false],
])('the rules judge: %s', ([, rule, over, isMatched]) => {
  expect(judgeEffect([{ effect: 'block', ...rule }], over) === 'block').toBe(isMatched);
});

test('a target that may be any address is blocked and asked about by every rule for its host, and allowed by none of its paths', () => {
  const what = 'POST x.example/safe/%c0%af';
  const over: Partial<Subject> = { source: 'http', what, readings: [what, 'POST x.example/*'] };
  const of = (...targets: [Rule['effect'], string][]) =>
    judgeEffect(
      targets.map(([effect, target]) => ({ effect, target })),
      over,
    );
  expect(of(['block', 'POST x.example/transfer'], ['allow', 'POST x.example/safe/*'])).toBe('block');
  expect(of(['require_human', '*/transfer'], ['allow', '*'])).toBe('require_human');
  expect(of(['block', 'DELETE *'], ['allow', 'POST x.example/*'])).toBe('allow');
  expect(of(['allow', 'POST x.example/safe/*'])).toBe('require_approval');
});

test('of several readings of a target, block and ask match by any, and allow by all', () => {
  const readings = ['POST x.example/open/..%2Ftransfer', 'POST x.example/transfer'];
  const over: Partial<Subject> = { source: 'http', what: readings[0]!, readings };
  const [transfer, open] = ['POST x.example/transfer', 'POST x.example/open/*'];
  expect(judgeEffect([{ effect: 'block', target: transfer }, { effect: 'allow' }], over)).toBe('block');
  expect(judgeEffect([{ effect: 'require_human', target: open }, { effect: 'allow' }], over)).toBe('require_human');
  expect(judgeEffect([{ effect: 'allow', target: open }, { effect: 'block' }], over)).toBe('block');
  expect(judgeEffect([{ effect: 'allow', target: open }], over)).toBe('require_approval');
  expect(judgeEffect([{ effect: 'require_approval', target: open }, { effect: 'block' }], over)).toBe('block');
  expect(judgeEffect([{ effect: 'allow', target: 'POST x.example/*' }, { effect: 'block' }], over)).toBe('allow');
});

test('agents in a rule are every kind of caller that is an agent; key means them all where it blocks or asks', () => {
  const kinds = ['key', 'oauth', 'run'] as const;
  for (const caller of kinds) {
    for (const callers of [['agents' as const], ['key' as const]]) {
      expect(judgeEffect([{ effect: 'block', callers }, { effect: 'allow' }], { caller })).toBe('block');
      expect(judgeEffect([{ effect: 'require_human', callers }, { effect: 'allow' }], { caller })).toBe(
        'require_human',
      );
    }
    expect(judgeEffect([{ effect: 'allow', callers: ['agents'] }], { caller })).toBe('allow');
    expect(judgeEffect([{ effect: 'allow', callers: ['key'] }], { caller })).toBe(
      caller === 'key' ? 'allow' : 'require_approval',
    );
  }
  for (const caller of ['session', 'telegram', 'system'] as const)
    expect(judgeEffect([{ effect: 'block', callers: ['agents', 'key'] }], { caller })).toBe('require_approval');
});

test('a run counts for its starter, too, and the stricter answer applies', () => {
  const run: Partial<Subject> = { caller: 'run', starter: 'oauth' };
  const [runs, clients]: Rule[] = [
    { effect: 'allow', callers: ['run'] },
    { effect: 'block', callers: ['oauth'] },
  ];
  expect(judgeEffect([runs!, clients!], run)).toBe('block');
  expect(judgeEffect([runs!, clients!], { caller: 'run' })).toBe('allow');
  expect(judgeEffect([runs!], run)).toBe('allow');
  expect(
    judgeEffect(
      [
        { effect: 'block', callers: ['run'] },
        { effect: 'allow', callers: ['oauth'] },
      ],
      run,
    ),
  ).toBe('block');
  expect(judgeEffect([runs!], { ...run, ownRules: [clients!] })).toBe('block');
  expect(isBlockedAnyhow({ rules: [runs!, clients!], floor: [] }, { ...mail, ...run })).toBe(true);
});
