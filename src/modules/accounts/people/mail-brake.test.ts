import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInOwner, type SignedIn } from '../../../../tests/support/colleague.ts';
import { openAsOwner, type OwnerDatabase } from '../../../../tests/support/owner-database.ts';
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts';
import { startSmtp, type SmtpServer } from '../../../../tests/support/smtp.ts';

let smtp: SmtpServer;
let server: TestServer;
let database: OwnerDatabase;
let ada: SignedIn;
beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({ THALAMUS_MAIL_URL: smtp.url, THALAMUS_OWNER_EMAIL: 'ada@example.com' });
  database = await openAsOwner(server.connectionString);
  ada = await signInOwner(server, database);
});
afterAll(async () => {
  await database.close();
  await server.close();
  await smtp.close();
});

test('names with line breaks and addresses become one line without links', async () => {
  const evil = 'Your invoice is due\n\nPay at https://evil.example/pay';
  expect(await ada.ok('update_workspace', { name: evil })).toMatchObject({
    name: 'Your invoice is due Pay at https://evil.example/pay',
  });
  expect(await ada.ok('update_profile', { name: 'Bank\u2028Support\u202E www.evil.example' })).toMatchObject({
    name: 'Bank Support www.evil.example',
  });
  expect((await ada.call('update_profile', { name: '\u200B\u202E' })).status).toBe(422);
  await ada.ok('invite_person', { email: 'victim@elsewhere.example' });
  const mail = smtp.taken.find(({ to }) => to.includes('victim@elsewhere.example'));
  const own = `${mail?.subject} ${mail?.text}`.replaceAll(/http:\/\/(localhost|127\.0\.0\.1)\S*/g, '');
  expect(own).not.toMatch(/evil\.example|:\/\//);
  expect(mail?.text.split('\n')[0]).toContain('Your invoice is due');
});

test('one address gets five mails a day, of any kind, and the error says when to try again', async () => {
  const before = smtp.taken.length;
  const { invitation_id } = await ada.ok('invite_person', { email: 'once@elsewhere.example' });
  const answers = [];
  for (let at = 0; at < 10; at += 1) answers.push(await ada.call('resend_invitation', { invitation_id }));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(6);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(60);
  expect(smtp.taken.length - before).toBe(5);
  expect((await ada.call('invite_person', { email: 'other@elsewhere.example' })).status).toBe(200);
});

test('a workspace sends fifty such mails an hour, and refused invitations are not stored', async () => {
  await database.rows('delete from mail_brakes');
  const statuses = [];
  for (let at = 0; at < 55; at += 1)
    statuses.push((await ada.call('invite_person', { email: `many-${at}@elsewhere.example` })).status);
  expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  const invited = await database.rows(`select 1 from invitations where email like 'many-%'`);
  expect(invited).toHaveLength(50);
  await database.rows(`update mail_brakes set began_at = began_at - interval '61 minutes'`);
  expect((await ada.call('invite_person', { email: 'many-99@elsewhere.example' })).status).toBe(200);
});
