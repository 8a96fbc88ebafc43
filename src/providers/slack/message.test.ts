import { expect, test } from 'vitest';
import { readSlackMessage } from './message.ts';

const names = { U1: 'Ada Lovelace', U2: 'Grace Hopper' };
const readWords = (message: object) => readSlackMessage({ text: '', ...message }, names).words;
const buildSection = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const buildRichText = (...elements: object[]) => ({ type: 'rich_text', elements });
const buildLine = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const buildText = (text: string) => ({ type: 'text', text });

test('every part of an attachment is read, its fallback only when there is nothing else', () => {
  const attachment = {
    fallback: 'P1 on mq-2',
    pretext: 'Watch &amp; act',
    author_name: 'ci',
    title: '#552 failed',
    title_link: 'https://ci.example/552',
    text: 'lint: <https://ci.example/log|3 errors>',
    fields: [{ title: 'Team', value: 'freight' }, { value: '<@U1>' }],
    footer: 'gearbox',
  };
  expect(readWords({ attachments: [attachment] }).split('\n')).toEqual([
    'Watch & act',
    'ci',
    '#552 failed',
    'lint: 3 errors (https://ci.example/log)',
    'Team: freight',
    '@Ada Lovelace',
    'gearbox',
  ]);
  expect(readWords({ attachments: [{ fallback: 'P1 on mq-2', color: 'f00' }] })).toBe('P1 on mq-2');
  expect(readWords({ attachments: [{ fallback: '[no preview available]' }] })).toBe('');
});

test('blocks of every kind are read, including kinds that Slack adds later', () => {
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Harbour report' } },
    { type: 'divider' },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: 'by the' },
        { type: 'plain_text', text: 'tide bot' },
      ],
    },
    {
      type: 'section',
      fields: [
        { type: 'mrkdwn', text: '*Draught*' },
        { type: 'mrkdwn', text: '4.2 m' },
      ],
    },
    { ...buildSection('Sign?'), accessory: { type: 'button', text: { type: 'plain_text', text: 'Sign' }, value: 'x' } },
    { type: 'image', image_url: 'https://x.example/i.png', alt_text: 'chart of the sandbank' },
    {
      type: 'actions',
      elements: ['Yes', 'No'].map((text) => ({ type: 'button', text: { type: 'plain_text', text } })),
    },
    { type: 'markdown', text: '**Tide** tables' },
    {
      type: 'table',
      rows: [
        [
          { type: 'raw_text', text: 'Quay' },
          { type: 'rich_text', elements: [buildLine(buildText('Depth'))] },
        ],
        ['North', '7 m'].map((text) => ({ type: 'raw_text', text })),
      ],
    },
    { type: 'video', title: { type: 'plain_text', text: 'Dredging' }, alt_text: 'a dredger' },
    { type: 'of_next_year', body: { type: 'mrkdwn', text: 'from the future' } },
  ];
  expect(readWords({ blocks }).split('\n')).toEqual([
    'Harbour report',
    'by the tide bot',
    '*Draught*',
    '4.2 m',
    'Sign?',
    'Sign',
    'chart of the sandbank',
    'Yes No',
    '**Tide** tables',
    'Quay | Depth',
    'North | 7 m',
    'Dredging',
    'a dredger',
    'from the future',
  ]);
});

test('rich text reads as Slack shows it', () => {
  const user = { type: 'user', user_id: 'U2' };
  const link = { type: 'link', url: 'https://x.example', text: 'plan' };
  const blocks = [
    buildRichText(
      buildLine(buildText('Ask '), user, buildText(' about the '), link, { type: 'emoji', name: 'ship' }),
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: [buildLine(buildText('oil')), buildLine(buildText('wait'))],
      },
      { type: 'rich_text_list', style: 'bullet', elements: [buildLine(buildText('rope'))] },
      { type: 'rich_text_quote', elements: [buildText('one\ntwo')] },
      { type: 'rich_text_preformatted', elements: [buildText('job 7719')] },
    ),
  ];
  expect(readWords({ blocks }).split('\n')).toEqual([
    'Ask @Grace Hopper about the plan (https://x.example):ship:',
    '1. oil',
    '2. wait',
    '• rope',
    '> one',
    '> two',
    'job 7719',
  ]);
});

test('text that the blocks repeat is read once, and a word inside another word is not a repetition', () => {
  const blocks = [buildSection('*New* incident'), buildSection('Pump *three* lost pressure'), buildSection('cid')];
  expect(readWords({ text: 'New incident', blocks })).toBe('New incident\nPump *three* lost pressure\ncid');
  const typed = buildRichText(
    buildLine(buildText('Oil the '), { type: 'link', url: 'https://x.example/b', text: 'bearing' }),
  );
  expect(readWords({ text: 'Oil the <https://x.example/b|bearing>', blocks: [typed] })).toBe(
    'Oil the bearing (https://x.example/b)',
  );
});

test('a forwarded message and a file are read with the message that contains them', () => {
  const shared = { blocks: [buildRichText(buildLine(buildText('the keel is cracked')))] };
  const forward = {
    is_share: true,
    author_name: 'Grace Hopper',
    text: 'the keel is cracked',
    message_blocks: [{ team: 'T1', channel: 'C1', ts: '1.2', message: shared }],
    files: [{ name: 'crack.jpg' }],
    footer: 'Posted in #yard',
  };
  const message = { text: 'look', attachments: [forward], files: [{ name: 'a.pdf', title: 'Survey' }] };
  expect(readWords(message).split('\n')).toEqual([
    'look',
    'Grace Hopper',
    'the keel is cracked',
    'File: crack.jpg',
    'Posted in #yard',
    'File: Survey',
  ]);
  const { text: _text, ...alone } = forward;
  expect(readWords({ attachments: [alone] })).toContain('the keel is cracked');
});

test('the author is the person, else the name that an app posts under', () => {
  const readAuthor = (message: object) => readSlackMessage(message, names).by;
  expect(readAuthor({ user: 'U1' })).toBe('Ada Lovelace');
  expect(readAuthor({ username: 'pager', bot_id: 'B1', subtype: 'bot_message' })).toBe('pager');
  expect(readAuthor({ user: 'U9', bot_profile: { name: 'deployer' } })).toBe('deployer');
  expect(readAuthor({ user: 'constructor' })).toBe('');
});

test('a message of an unknown form, or with endless nesting, has no text and causes no error', () => {
  let nested: object = buildSection('deep');
  for (let depth = 0; depth < 10_000; depth += 1) nested = { type: 'card', blocks: [nested] };
  for (const odd of [null, 5, [], { text: 5, blocks: 'x', attachments: [null, 3] }, { blocks: [nested] }])
    expect(readSlackMessage(odd, names).words).toBe('');
});
