import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Outlook mail',
    linkedBy: "Microsoft's consent",
    pages: 'mails of inbox, archive and sent items',
    acts: 'send, answer, archive',
    targets: '`mail`, `reply to <id>`, `mail <id>`',
  },
  {
    source: 'Outlook calendar',
    linkedBy: 'the same client',
    pages: 'events',
    acts: 'create, change and delete events, answer invitations',
    targets: '`event in the calendar`, `event <id>`, `invitation <id>`',
  },
];
