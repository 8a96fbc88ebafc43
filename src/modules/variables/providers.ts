// The OAuth providers that bundles and the playground know; all others are named by their addresses.

/** A provider as data: its addresses, what to ask for a lasting grant, and its scopes in plain words. */
export type KnownProvider = {
  name: string;
  label: string;
  authorizeUrl: string;
  tokenUrl: string;
  authorizeWith: Readonly<Record<string, string>>;
  /** Where its access tokens are used. */
  apiHosts: readonly string[];
  /** What its scopes look like, to know it by them. */
  scopeForm: RegExp;
  scopes: readonly { id: string; about: string }[];
  /** What people run into. */
  note: string;
};

const buildGoogleScope = (name: string) => `https://www.googleapis.com/auth/${name}`;

export const knownProviders: readonly KnownProvider[] = [
  {
    name: 'google',
    label: 'Google',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    authorizeWith: { access_type: 'offline', prompt: 'consent' },
    apiHosts: ['*.googleapis.com'],
    scopeForm: /^https:\/\/(www\.googleapis\.com\/auth\/|mail\.google\.com\/)/,
    scopes: [
      { id: buildGoogleScope('gmail.readonly'), about: 'Read mail' },
      { id: buildGoogleScope('gmail.send'), about: 'Send mail' },
      { id: buildGoogleScope('gmail.modify'), about: 'Read, send, label and move mail to the bin' },
      { id: buildGoogleScope('calendar.readonly'), about: 'Read calendars' },
      { id: buildGoogleScope('calendar.events'), about: 'Read and change events' },
      { id: buildGoogleScope('drive.file'), about: 'Files that this client made or was given' },
      { id: buildGoogleScope('drive.readonly'), about: 'Read all files in Drive' },
      { id: buildGoogleScope('drive'), about: 'Read and change all files in Drive' },
      { id: buildGoogleScope('spreadsheets'), about: 'Read and change spreadsheets' },
      { id: buildGoogleScope('contacts.readonly'), about: 'Read contacts' },
    ],
    note: 'While the OAuth client is in testing mode, Google ends its refresh tokens after 7 days. Publish the client to make them last.',
  },
  {
    name: 'hubspot',
    label: 'HubSpot',
    authorizeUrl: 'https://app.hubspot.com/oauth/authorize',
    tokenUrl: 'https://api.hubapi.com/oauth/v1/token',
    authorizeWith: {},
    apiHosts: ['api.hubapi.com'],
    scopeForm: /^(crm\.|oauth$|automation$|tickets$|content$|forms$|files$|sales-email-read$)/,
    scopes: [
      { id: 'oauth', about: 'Sign in; every HubSpot app needs it' },
      { id: 'crm.objects.contacts.read', about: 'Read contacts' },
      { id: 'crm.objects.contacts.write', about: 'Change contacts' },
      { id: 'crm.objects.companies.read', about: 'Read companies' },
      { id: 'crm.objects.companies.write', about: 'Change companies' },
      { id: 'crm.objects.deals.read', about: 'Read deals' },
      { id: 'crm.objects.deals.write', about: 'Change deals' },
      { id: 'tickets', about: 'Read and change tickets' },
      { id: 'automation', about: 'Workflows' },
    ],
    note: 'HubSpot shows every scope of the app; tick the same ones in its settings.',
  },
];

/** The provider of this name, or the one all these scopes belong to. */
export function findProvider(name: string | undefined, scopes: readonly string[] = []): KnownProvider | undefined {
  if (name) return knownProviders.find((provider) => provider.name === name.toLowerCase());
  return knownProviders.find(({ scopeForm }) => scopes.length > 0 && scopes.every((scope) => scopeForm.test(scope)));
}
