import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Calendar address (iCal)',
    linkedBy: 'the address that ends in `.ics`',
    pages: 'its events, from 90 days back to a year ahead',
  },
];
