import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'HTTP JSON',
    linkedBy: 'an address that answers JSON, and its key if it needs one',
    pages: 'the items of its list',
    acts: '`send_request` and `send_delete`, with a `check` that finds out afterwards what happened',
    targets: '`POST /orders`',
  },
];
