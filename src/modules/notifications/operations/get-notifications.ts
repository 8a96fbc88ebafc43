import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { findPerson, createPersonRemovedError } from '#modules/accounts';
import { z } from 'zod';
import { findChoice, mailChoices } from '../store/draft-mails.ts';

export const notificationsOutput = z.object({
  mail: z.enum(mailChoices),
  address: z.string().describe('The address that receives the mails.'),
  can_mail: z.boolean().describe('False: no mail server is configured, so nothing is mailed.'),
});

export function getNotifications({ canMail }: { canMail: boolean }) {
  return defineOperation({
    name: 'get_notifications',
    summary: 'Show how you are notified about drafts that wait for you and deadlines that passed.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'actions:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/me/notifications' }],
    input: z.strictObject({}),
    output: notificationsOutput,
    errors: ['forbidden'],
    examples: [{ title: 'Am I notified by mail?', input: {} }],
    run: (ctx) => presentChoice(ctx, canMail),
  });
}

export async function presentChoice(ctx: Context, canMail: boolean): Promise<z.input<typeof notificationsOutput>> {
  const { personId } = ctx.caller;
  const person = await findPerson(ctx.db, personId);
  if (!person) throw createPersonRemovedError();
  return { mail: await findChoice(ctx.db, personId), address: person.email, can_mail: canMail };
}
