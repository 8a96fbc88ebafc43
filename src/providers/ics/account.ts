import type { Provider } from '#kernel/provider';

/** A calendar as a file (RFC 5545); its address is often the secret. */
export const ics: Provider = {
  name: 'ics',
  label: 'Calendar address (iCal)',
  apiDomains: [],
  oauth: null,
  token: {
    label: 'Secret address in iCal format',
    url: null,
    steps: [
      'Copy the address that ends in .ics: in Google Calendar it is under the settings of one calendar, in Outlook under “Shared calendars”, “Publish”.',
      'The address of a private calendar is itself the key: Thalamus stores it like a password.',
    ],
    form: { pattern: '^(https?|webcal)://[^\\s]{4,2000}$', says: 'begins with https://, http:// or webcal://' },
    fields: [],
    isTokenOptional: false,
    revoke: null,
  },
  placement: { oauth: { in: 'url' }, token: { in: 'url' } },
  identity: null,
  ownPage: null,
};
