import type { Context } from '#kernel/context';
import { defineOperation } from '#kernel/operation';
import { findPerson, personGone } from '#modules/accounts';
import { z } from 'zod';
import { findChoice, mailChoices } from '../store.ts';

export const notificationsOutput = z.object({
  mail: z.enum(mailChoices),
  address: z.string().describe('Where the mails go: the address of the person.'),
  can_mail: z.boolean().describe('False: the server has no mail server set, and nothing is mailed.'),
});

export function getNotifications({ canMail }: { canMail: boolean }) {
  return defineOperation({
    name: 'get_notifications',
    summary: 'Tell how you are told of drafts that wait for you, and where.',
    toolset: 'accounts',
    effect: 'read',
    access: { scope: 'actions:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/me/notifications' }],
    input: z.strictObject({}),
    output: notificationsOutput,
    errors: ['forbidden'],
    examples: [{ title: 'Am I told by mail?', input: {} }],
    run: (ctx) => presentChoice(ctx, canMail),
  });
}

export async function presentChoice(ctx: Context, canMail: boolean): Promise<z.input<typeof notificationsOutput>> {
  const { personId } = ctx.caller;
  const person = await findPerson(ctx.db, personId);
  if (!person) throw personGone();
  return { mail: await findChoice(ctx.db, personId), address: person.email, can_mail: canMail };
}
