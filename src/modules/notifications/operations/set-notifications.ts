import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { notificationsChanged } from '../events.ts';
import { mailChoices, saveChoice } from '../store/draft-mails.ts';
import { notificationsOutput, presentChoice } from './get-notifications.ts';

export function setNotifications({ canMail }: { canMail: boolean }) {
  return defineOperation({
    name: 'set_notifications',
    summary: 'Choose whether you get a mail about drafts that wait for your approval or may have been sent.',
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'notifications:write', isForPeople: true },
    rest: [{ method: 'PUT', path: '/v1/me/notifications' }],
    input: z.strictObject({
      mail: z
        .enum(mailChoices)
        .describe(
          'each: at once; drafts that arrive together share a mail. digest: at most one mail every 15 minutes.',
        ),
    }),
    output: notificationsOutput,
    errors: ['forbidden', 'unavailable'],
    examples: [{ title: 'No more mails', input: { mail: 'off' } }],
    async run(ctx, { mail }) {
      if (mail !== 'off' && !canMail) throw createNoMailError();
      const { personId, workspaceId } = ctx.caller;
      await saveChoice(ctx.db, { person_id: personId, workspace_id: workspaceId, mail, changed_at: ctx.now });
      await ctx.emit(notificationsChanged({ mail }, { personId }));
      return presentChoice(ctx, canMail);
    },
  });
}

function createNoMailError(): AppError {
  return new AppError(
    'unavailable',
    'This server sends no mail. Its operator must set THALAMUS_MAIL_URL to an SMTP server, and THALAMUS_MAIL_FROM.',
    { setting: 'THALAMUS_MAIL_URL' },
  );
}
