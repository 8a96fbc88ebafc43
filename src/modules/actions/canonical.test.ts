import { expect, test } from 'vitest';
import { formatCanonicalJson, hashDraft } from './canonical.ts';

// RFC 8785 §3.2.2 and §3.2.3: the document's own examples.
test('literals, numbers and strings are written as in RFC 8785', () => {
  const given = {
    // oxlint-disable-next-line no-loss-of-precision -- what the RFC gives to be rounded
    numbers: [333333333.33333329, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\u0022\u002f",
    literals: [null, true, false],
  };
  expect(formatCanonicalJson(given)).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('names are in the order of their UTF-16 code units, as in RFC 8785', () => {
  const given = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  };
  expect(Object.values(JSON.parse(formatCanonicalJson([given]))[0] as object).slice(1)).toEqual([
    'Carriage Return',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
});

const mail = {
  source: 'gmail',
  action: 'send_email',
  connectionId: '0192a000-0000-7000-8000-000000000001',
  payload: { to: ['noah@example.com'], subject: 'Re: next week', body: "We're in.", cc: undefined },
  policy: { effect: 'require_approval', rule: { effect: 'require_approval', note: 'It is seen outside.' } },
};

// Fixed values: a change here would make every pending draft unsendable, and every ledger differ from its drafts.
test('the hash of a draft is the sha256 of its canonical JSON', () => {
  expect(hashDraft(mail)).toBe('73121375931f0435e5c083404c0330ad60e15f75d30d27b7229b80a3b531481a');
  expect(hashDraft({ ...mail, policy: null })).toBe('5ec5e1f548834b4b1b4e7ce0d679e4206fde70430dcbdaa672a9f2341f9ebddf');
});

test.for<[string, object]>([
  ['the payload', { payload: { ...mail.payload, body: 'We are in.' } }],
  ['the account', { connectionId: '0192a000-0000-7000-8000-000000000002' }],
  ['the action', { action: 'reply' }],
  ['the rule', { policy: { ...mail.policy, effect: 'allow' } }],
])('the hash of a draft changes when %s changes', ([, over]) => {
  expect(hashDraft({ ...mail, ...over })).not.toBe(hashDraft(mail));
});
