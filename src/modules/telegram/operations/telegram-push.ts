import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { defineOperation } from '#kernel/operation';
import {
  draftAnswer,
  finishDraft,
  createDraftInCall,
  takeReplyTo,
  type PendingDraftAnswer,
  type GateDeps,
} from '#modules/actions';
import { findReachablePhone, type Phone } from '../prompts/phones.ts';
import { push, pushInput } from '../push.ts';

export function createTelegramPush(gate: GateDeps) {
  return defineOperation({
    name: 'telegram_push',
    summary:
      "Draft a message to the person's own phone over Telegram. It is sent after approval, or at once if the policy allows it.",
    toolset: 'accounts',
    effect: 'write',
    access: { scope: 'actions:draft' },
    input: pushInput,
    output: draftAnswer,
    errors: ['conflict', 'invalid_input', 'forbidden'],
    examples: [
      { title: 'A short message', input: { text: 'The weekly numbers are in: 4,200 visits.' } },
      {
        title: 'With a button',
        input: { text: 'The board is ready.', buttons: [{ text: 'Open it', url: 'https://example.com/board' }] },
      },
    ],
    async run(ctx, message): Promise<PendingDraftAnswer> {
      const replied = await takeReplyTo(ctx, gate, message);
      if (replied) return replied;
      const { link, bot } = await getOwnPhone(ctx, gate.publicUrl);
      const payload = { ...message, phone: link.chat_name ?? 'phone', chat_id: link.chat_id };
      const connection = { id: bot.id, account: bot.account };
      return createDraftInCall(ctx, gate, { action: push, payload, connection, notify: ['inbox'], batchId: null });
    },
    afterCommit: (ctx, drafted, message) => finishDraft(ctx, gate, drafted, message),
  });
}

async function getOwnPhone({ db, caller }: Context, publicUrl: string): Promise<Phone> {
  const phone = await findReachablePhone(db, caller.personId);
  if (phone) return phone;
  const url = `${publicUrl}/integrations/telegram`;
  const message = `No phone can be reached over Telegram: none is linked, or its bot does not answer. Ask the person to open ${url}`;
  throw new AppError('conflict', message, { connect_url: url });
}
