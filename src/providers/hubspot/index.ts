import { defineProvider, type OwnClientProvider } from '#providers/kit';

/** HubSpot. https://developers.hubspot.com/docs/api/working-with-oauth */
const ownClient: OwnClientProvider = {
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
};

/** HubSpot is neither linked, read nor written: people consent there with an OAuth client of their own. */
export const hubspotProvider = defineProvider({ account: null, sources: [], actions: [], ownClient });
