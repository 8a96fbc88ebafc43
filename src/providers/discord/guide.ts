import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Discord',
    linkedBy: "a bot's token, with the message content intent",
    pages: 'messages and threads of the channels the bot is in',
    acts: 'post messages',
    targets: '`channel general`, `channel C0123`, and `channel general Engine` with the server',
  },
];
