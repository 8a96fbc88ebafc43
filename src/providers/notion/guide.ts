import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Notion',
    linkedBy: 'consent, or the secret of an internal integration',
    pages: 'the pages you share with it',
    acts: 'create pages, add to databases, append text, comment',
    targets: '`page Plan`, `database Tasks`, each also by its id',
  },
];
