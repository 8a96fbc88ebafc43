import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Slack',
    linkedBy: 'consent, or a user or bot token',
    pages: 'threads of the channels you, or the bot, are in',
    acts: 'post messages, and change your own',
    targets: '`channel general`, `channel C0123`',
  },
];
