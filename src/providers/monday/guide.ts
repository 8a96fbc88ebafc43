import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Monday',
    linkedBy: 'consent (an admin installs the app), or an API token',
    pages: 'items of boards with columns and updates',
    acts: 'create and change items, write updates',
    targets: '`board Tasks`, `item 12 on board Tasks`',
  },
];
