/** What people and the consent page are told of a source, before anything is read or written there. */
export type SourceFacts = {
  name: string;
  label: string;
  description: string;
  /** The OAuth provider whose accounts serve it. */
  provider: string;
  scopes: readonly { scope: string; why: string }[];
};

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

export const sourceFacts = [
  {
    name: 'gmail',
    label: 'Gmail',
    description: 'Mail threads become pages; mails are drafted here and sent once you confirm.',
    provider: 'google',
    scopes: [
      { scope: scope('gmail.readonly'), why: 'Read your mail, to bring threads into your brain when you ask for it.' },
      { scope: scope('gmail.compose'), why: 'Keep drafts and send those that you confirmed.' },
    ],
  },
  {
    name: 'calendar',
    label: 'Google Calendar',
    description: 'Events of all your calendars become pages; events are drafted here and created once you confirm.',
    provider: 'google',
    scopes: [
      { scope: scope('calendar.readonly'), why: 'Read your calendars, to bring events into your brain.' },
      { scope: scope('calendar.events'), why: 'Create the events that you confirmed.' },
    ],
  },
  {
    name: 'drive',
    label: 'Google Drive',
    description: 'Files are found by name and text and become pages; text files are created once you confirm.',
    provider: 'google',
    scopes: [
      { scope: scope('drive.readonly'), why: 'Find your files and read what they are called.' },
      { scope: scope('drive.file'), why: 'Create the files that you confirmed, and no others.' },
    ],
  },
] as const satisfies readonly SourceFacts[];
