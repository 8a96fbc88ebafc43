import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'GitHub',
    linkedBy: 'consent, or a fine-grained token that reads',
    pages: 'issues and pull requests with comments and reviews; releases',
    acts: 'create and change issues and comments',
    targets: '`issues of ada/engine`, `issue ada/engine#7`, `comment 99 in ada/engine`',
  },
];
