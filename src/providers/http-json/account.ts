import { bearer, type Provider } from '#kernel/provider';

/** Any HTTP service with JSON answers, with or without a key. */
export const httpJson: Provider = {
  name: 'http_json',
  label: 'HTTP JSON',
  apiDomains: [],
  oauth: null,
  token: {
    label: 'Key of the service',
    url: null,
    steps: ['Enter an address that answers JSON, and the key it needs, if any.'],
    form: null,
    fields: ['url', 'header'],
    isTokenOptional: true,
    revoke: null,
  },
  placement: { oauth: bearer, token: bearer },
  identity: null,
  ownPage: null,
};
