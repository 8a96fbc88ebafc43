import { defineOperation } from '#kernel/operation';
import { connectionId } from '#modules/connections';
import { z } from 'zod';
import { chooseBot } from '../listening/bots.ts';
import { telegramChanged } from '../events.ts';
import { deleteLink, findLinkOfPerson } from '../store/links.ts';

export function unlinkTelegram({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'unlink_telegram',
    summary: 'Unlink your phone from your brain. Its notes and the bot stay.',
    toolset: 'accounts',
    effect: 'write',
    isDestructive: true,
    access: { scope: 'connections:delete', isForPeople: true },
    rest: [{ method: 'DELETE', path: '/v1/telegram/links' }],
    input: z.strictObject({
      connection_id: connectionId.optional().describe('The bot, if several are connected.'),
    }),
    output: z.object({ connection_id: z.uuid(), bot: z.string(), unlinked: z.string().nullable() }),
    errors: ['forbidden', 'not_found', 'conflict', 'invalid_input'],
    examples: [{ title: 'The phone was lost', input: {} }],
    async run(ctx, { connection_id }) {
      const bot = await chooseBot(ctx, connection_id, publicUrl);
      const link = await findLinkOfPerson(ctx.db, bot.id, ctx.caller.personId);
      if (link) {
        await deleteLink(ctx.db, link.id);
        await ctx.emit(telegramChanged({ connection_id: bot.id }, { personId: ctx.caller.personId }));
      }
      return { connection_id: bot.id, bot: bot.account, unlinked: link?.chat_name ?? null };
    },
  });
}
