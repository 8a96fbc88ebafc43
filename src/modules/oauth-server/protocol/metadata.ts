// The first documents that clients read: about the authorization server and its capabilities. RFC 9728, RFC 8414,
// OpenID Connect Discovery.
import { offeredScopes, listUsualScopes } from '../clients/client-scopes.ts';
import { routes } from './routes.ts';

/** The metadata of the protected resource at an address. */
export function buildResourceMetadata(publicUrl: string, resource: string): object {
  return {
    resource,
    authorization_servers: [publicUrl],
    scopes_supported: listUsualScopes('owner'),
    bearer_methods_supported: ['header'],
    resource_name: 'Thalamus',
    resource_documentation: `${publicUrl}/docs`,
  };
}

/** The metadata of the authorization server. */
export function buildServerMetadata(publicUrl: string): object {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}${routes.authorize}`,
    token_endpoint: `${publicUrl}${routes.token}`,
    registration_endpoint: `${publicUrl}${routes.register}`,
    revocation_endpoint: `${publicUrl}${routes.revoke}`,
    device_authorization_endpoint: `${publicUrl}${routes.deviceAuthorization}`,
    scopes_supported: offeredScopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    token_endpoint_auth_methods_supported: [...authMethods],
    revocation_endpoint_auth_methods_supported: [...authMethods],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${publicUrl}/docs`,
  };
}

/** The same for clients that look for OpenID Connect. No identity tokens are issued, so none is signed. */
export function buildOpenidMetadata(publicUrl: string): object {
  return {
    ...buildServerMetadata(publicUrl),
    jwks_uri: `${publicUrl}${routes.keys}`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

/** How clients authenticate at the token endpoint. */
export const authMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const;
