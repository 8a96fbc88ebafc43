/** The paths of the protocol. */
export const routes = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  deviceAuthorization: '/oauth/device_authorization',
  device: '/oauth/device',
  consent: '/oauth/consent',
  keys: '/oauth/keys',
} as const;
