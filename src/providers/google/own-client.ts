import type { OwnClientProvider } from '#providers/kit';

const buildScope = (name: string) => `https://www.googleapis.com/auth/${name}`;

/** Google, for people who consent with an OAuth client of their own. */
export const ownClient: OwnClientProvider = {
  name: 'google',
  label: 'Google',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
  authorizeWith: { access_type: 'offline', prompt: 'consent' },
  apiHosts: ['*.googleapis.com'],
  scopeForm: /^https:\/\/(www\.googleapis\.com\/auth\/|mail\.google\.com\/)/,
  scopes: [
    { id: buildScope('gmail.readonly'), about: 'Read mail' },
    { id: buildScope('gmail.send'), about: 'Send mail' },
    { id: buildScope('gmail.modify'), about: 'Read, send, label and move mail to the bin' },
    { id: buildScope('calendar.readonly'), about: 'Read calendars' },
    { id: buildScope('calendar.events'), about: 'Read and change events' },
    { id: buildScope('drive.file'), about: 'Files that this client made or was given' },
    { id: buildScope('drive.readonly'), about: 'Read all files in Drive' },
    { id: buildScope('drive'), about: 'Read and change all files in Drive' },
    { id: buildScope('spreadsheets'), about: 'Read and change spreadsheets' },
    { id: buildScope('contacts.readonly'), about: 'Read contacts' },
  ],
  note: 'While the OAuth client is in testing mode, Google ends its refresh tokens after 7 days. Publish the client to make them last.',
};
