import { classifyDelivery } from '#kernel/action';
import { createMail, MailError } from '#platform/mail';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSmtp, type SmtpServer } from '../../../tests/support/smtp.ts';

let smtp: SmtpServer;
beforeAll(async () => {
  smtp = await startSmtp();
});
beforeEach(() => smtp.behave('take'));
afterAll(() => smtp.close());

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'A line.\n' };
const send = (message: object = {}, url = smtp.url) =>
  createMail({ url, from: 'Thalamus <thalamus@example.com>' })?.send({ ...mail, ...message });
const classifyFailedSend = async (message: object = {}, url?: string) =>
  classifyDelivery(await send(message, url)?.catch((error: unknown) => error));

test('a mail arrives as it was written', async () => {
  await send({ subject: 'Grüße', text: 'A line that is äöü.\n' });
  expect(smtp.taken.at(-1)).toMatchObject({ to: ['ada@example.com'], subject: 'Grüße', text: 'A line that is äöü.\n' });
});

test('no field can start another field, and an address stays one address', async () => {
  await send({ subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nAnother text' });
  const { source = '', to } = smtp.taken.at(-1) ?? {};
  const [headers = ''] = source.split('\r\n\r\n');
  expect(to).toEqual(['ada@example.com']);
  expect(headers).not.toMatch(/^bcc/im);
  expect(headers).toMatch(/^subject: Hello Bcc: eve@example\.com/im);
  const before = smtp.taken.length;
  await send({ to: 'ada@example.com, eve@example.com' })?.catch(() => {});
  expect(smtp.taken.slice(before).flatMap((each) => each.to)).not.toContain('eve@example.com');
});

test('a mail that every server refused was not sent', async () => {
  expect(await classifyFailedSend({}, 'smtp://127.0.0.1:1')).toBe('not_sent');
  smtp.behave('refuse');
  expect(await classifyFailedSend()).toBe('not_sent');
});

test('a final refusal is distinguished from a temporary one', async () => {
  const isForGood = async (url?: string) => {
    const error = await send({}, url)?.catch((thrown: unknown) => thrown);
    return error instanceof MailError && error.isForGood;
  };
  smtp.behave('refuse_for_good');
  expect(await isForGood()).toBe(true);
  expect(await classifyFailedSend()).toBe('not_sent');
  smtp.behave('refuse');
  expect(await isForGood()).toBe(false);
  expect(await isForGood('smtp://127.0.0.1:1')).toBe(false);
});

test('a mail that broke off after its text began may have been sent', async () => {
  smtp.behave('take_and_cut');
  expect(await classifyFailedSend()).toBe('maybe_sent');
});
