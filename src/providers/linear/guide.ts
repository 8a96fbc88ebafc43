import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Linear',
    linkedBy: 'consent, or a personal API key',
    pages: 'issues with their comments',
    acts: 'create and change issues and comments',
    targets: "`issues of ENG` (or the team's name), `issue ENG-12`, `comment <id>`",
  },
];
