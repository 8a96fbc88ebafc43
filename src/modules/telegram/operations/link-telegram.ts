import { canDoAllOfPerson, type Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import { findCallerKeyId } from '#modules/accounts';
import { connectionId } from '#modules/connections';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { beginListening } from '../listening/begin-listening.ts';
import { chooseBot } from '../listening/bots.ts';
import { telegramChanged } from '../events.ts';
import { putCodeOut } from '../store/links.ts';

const codeLivesMs = 10 * 60 * 1000;

export function linkTelegram({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'link_telegram',
    summary:
      'Start linking a phone. Returns a link that the person opens in Telegram once, within ten minutes. After that they can text their brain.',
    toolset: 'accounts',
    effect: 'write',
    hasSecretAnswer: true,
    access: { scope: 'connections:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/telegram/links' }],
    input: z.strictObject({
      connection_id: connectionId.optional().describe('The bot, if several are connected.'),
    }),
    output: z.object({
      connection_id: z.uuid(),
      bot: z.string(),
      url: uri().describe('Opens Telegram. The person presses Start there.'),
      code: z.string().describe('The code in the link. Sending /start and the code to the bot does the same.'),
      expires_at: z.iso.datetime(),
    }),
    errors: ['not_found', 'forbidden', 'conflict', 'invalid_input'],
    examples: [{ title: 'Link a phone to the only bot', input: {} }],
    async run(ctx, { connection_id }) {
      checkIsPerson(ctx.caller, publicUrl);
      const bot = await chooseBot(ctx, connection_id, publicUrl);
      if (bot.status !== 'active') {
        throw new AppError('conflict', `${bot.status_reason ?? `${bot.account} is not connected.`} Connect it first.`);
      }
      const expiresAt = new Date(ctx.now.getTime() + codeLivesMs);
      await beginListening(ctx.db, bot, ctx.now);
      const code = await putCodeOut(ctx.db, {
        id: ctx.newId(),
        workspace_id: ctx.caller.workspaceId,
        connection_id: bot.id,
        person_id: ctx.caller.personId,
        expiresAt,
        isHumanSurface: ctx.caller.isHumanSurface,
        madeByKey: await findCallerKeyId(ctx),
        at: ctx.now,
      });
      await ctx.emit(telegramChanged({ connection_id: bot.id }, { personId: ctx.caller.personId }));
      return {
        connection_id: bot.id,
        bot: bot.account,
        url: `https://t.me/${bot.account.replace(/^@/, '')}?start=${code}`,
        code,
        expires_at: expiresAt.toISOString(),
      };
    },
  });
}

/** The holder of the code acts as the person, so no agent gets one. */
function checkIsPerson(caller: Caller, publicUrl: string): void {
  if (canDoAllOfPerson(caller)) return;
  const url = `${publicUrl}/integrations/telegram`;
  throw new AppError('forbidden', `A person links their own phone. Ask the person to open ${url}`, {
    connect_url: url,
  });
}
