import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Telegram',
    linkedBy: "a bot's token",
    pages: 'nothing is read; [you text your brain](telegram.md)',
    targets: '`own phone`',
  },
];
