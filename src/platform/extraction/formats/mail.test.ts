import { expect, test } from 'vitest';
import { readMailText } from './mail.ts';

const buildMail = (...all: string[]) => Buffer.from(all.join('\r\n'));

test('an attached mail is read with its author and subject', async () => {
  const mail = buildMail(
    'Subject: Fwd',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain; format=flowed',
    '',
    'See what Carl ',
    'wrote.',
    '--b',
    'Content-Type: message/rfc822; name="orig.eml"',
    'Content-Disposition: attachment; filename="orig.eml"',
    '',
    'From: Carl <carl@x.example>',
    'Subject: =?utf-8?Q?Caf=C3=A9?=',
    'Content-Type: text/plain',
    '',
    'Gate 8831',
    '--b--',
  );
  expect((await readMailText(mail)).text).toBe(
    'Subject: Fwd\n\nSee what Carl wrote.\n\nSubject: Café\nFrom: Carl <carl@x.example>\n\nGate 8831',
  );
});
