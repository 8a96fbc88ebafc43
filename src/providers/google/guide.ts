import type { GuideEntry } from '#providers/kit';

/** What the guides say of it. */
export const guide: readonly GuideEntry[] = [
  {
    source: 'Gmail',
    linkedBy: "Google's consent (one client for all three)",
    pages: 'mail threads with their files',
    acts: 'send and answer mails, with files; label, archive, mark as read, bin',
    targets: '`mail`, `thread <id>`',
  },
  {
    source: 'Google Calendar',
    linkedBy: 'the same client, the Calendar API switched on',
    pages: 'events of all your calendars',
    acts: 'create, change and delete events, answer invitations',
    targets: '`event in primary`, `invitation in Team`',
  },
  {
    source: 'Google Drive',
    linkedBy: 'the same client, the Drive API switched on',
    pages: 'files, with the text of documents, all tabs of sheets, plain text, PDF and Office files',
    acts: 'create and change text files, share a file',
    targets: '`file plan.txt`, `file in Contracts`, `file <id>`',
  },
];
