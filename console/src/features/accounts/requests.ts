import { queryOptions, skipToken } from '@tanstack/react-query';
import type { Rule } from '../actions/policy-requests.ts';
import type { Input, Output } from '#sdk';
import { call, post } from '../../api/call.ts';

export type Key = Output<'list_keys'>['keys'][number];

export type NewKey = Output<'create_key'>;

/** Every key of the person, including revoked ones. */
export const keysQuery = queryOptions({
  queryKey: ['accounts', 'keys'],
  queryFn: ({ signal }) => call('list_keys', {}, { signal }),
  select: (answer) => answer.keys,
});

export type ConnectedClient = Output<'list_connected_clients'>['clients'][number];

/** Every client that was connected by OAuth. It is read again whenever the person returns from allowing one. */
export const connectedClientsQuery = queryOptions({
  queryKey: ['accounts', 'clients'],
  queryFn: ({ signal }) => call('list_connected_clients', {}, { signal }),
  staleTime: 0,
  select: (answer) => answer.clients,
});

/** Allows a connected client less. */
export function updateConnectedClient(change: Input<'update_connected_client'>): Promise<unknown> {
  return call('update_connected_client', change);
}

export function endConnectedClient(id: string): Promise<unknown> {
  return call('end_connected_client', { id });
}

/** Whether a key is an agent's: one that cannot decide about its own drafts. */
export function isAgentKey({ scopes, revoked_at }: Key): boolean {
  return !revoked_at && !scopes.includes('actions:confirm');
}

/** Whether agents can sign in to this server by OAuth (RFC 8414), which clients without key support need. */
export const oauthQuery = queryOptions({
  queryKey: ['accounts', 'oauth'],
  queryFn: async ({ signal }) => {
    const response = await fetch('/.well-known/oauth-authorization-server', { signal });
    await response.body?.cancel(); // an unread answer keeps its connection open
    return response.ok && (response.headers.get('content-type') ?? '').includes('json');
  },
  staleTime: Infinity,
});

export type SignInMethods = {
  mail: boolean;
  /** Whether people can sign up without an invitation, and the allowed domains; null: all. */
  sign_up: boolean;
  sign_up_domains: string[] | null;
  providers: { name: string; label: string }[];
};

/** How people can sign in: to a workspace, or to the only one of this server. */
export function buildSignInMethodsQuery(workspace?: string) {
  return queryOptions({
    queryKey: ['accounts', 'methods', workspace],
    queryFn: async ({ signal }): Promise<SignInMethods> => {
      const query = workspace ? `?workspace=${encodeURIComponent(workspace)}` : '';
      const response = await fetch(`/auth/methods${query}`, { signal });
      if (response.ok) return response.json();
      await response.body?.cancel();
      return { mail: false, sign_up: false, sign_up_domains: null, providers: [] };
    },
    staleTime: Infinity,
  });
}

/** Redirects to a provider to sign in. */
export async function signInWith(asked: {
  provider: string;
  back: string;
  workspace?: string;
  /** Links the account to the signed-in person. */
  link?: true;
}): Promise<void> {
  const { provider, ...rest } = asked;
  const { authorization_url } = await post<{ authorization_url: string }>(`/auth/providers/${provider}`, rest);
  location.assign(authorization_url);
}

/** Requests a mailed sign-in link. The answer does not reveal whether somebody has the address. */
export function requestSignInLink(email: string): Promise<{ message: string }> {
  return post('/auth/mail', { email });
}

/** The new key of a client. It exists only in this cache, and is dropped after the person leaves the page. */
export function buildFreshKeyQuery(clientId: string) {
  return queryOptions<NewKey>({ queryKey: ['fresh-key', clientId], queryFn: skipToken });
}

/** Creates a key for an agent: it cannot approve its own drafts. */
export function createKey(key: { label: string; rules: readonly Rule[] }): Promise<Output<'create_key'>> {
  return call('create_key', { ...key, rules: [...key.rules] });
}

/** How many drafts of each key wait for approval, by the key's id. */
export const waitingByAgentQuery = queryOptions({
  queryKey: ['actions', 'by-agent'],
  queryFn: ({ signal }) => call('list_pending_actions', { limit: 100 }, { signal }),
  select: ({ drafts }) =>
    drafts.reduce(
      (counts, { drafted_by_id: id }) => counts.set(id, (counts.get(id) ?? 0) + 1),
      new Map<string, number>(),
    ),
});

/** The newest drafts of a key, in any state. */
export function buildAgentActivityQuery(agentId: string) {
  return queryOptions({
    queryKey: ['actions', 'of-agent', agentId],
    queryFn: ({ signal }) => call('list_actions', { drafted_by_id: agentId, limit: 8 }, { signal }),
    select: ({ actions }) => actions,
  });
}

export function updateKey(change: Input<'update_key'>): Promise<unknown> {
  return call('update_key', change);
}

/** `kept`: the permissions to keep. Default: those of a new agent. */
export function restrictKey(keyId: string, kept?: Input<'narrow_key'>['scopes']): Promise<unknown> {
  return call('narrow_key', { key_id: keyId, ...(kept && { scopes: kept }) });
}

/** The answer contains the new key, which is shown once. */
export function rotateKey(keyId: string): Promise<Output<'rotate_key'>> {
  return call('rotate_key', { key_id: keyId });
}

/** `people`: those who joined through the key and should be removed with it. */
export function revokeKey(keyId: string, people: readonly string[] = []): Promise<Output<'revoke_key'>> {
  return call('revoke_key', { key_id: keyId, remove_people: [...people] });
}

export function signOut(): Promise<unknown> {
  return post('/auth/sign-out', {});
}

export type Session = Output<'list_sessions'>['sessions'][number];

/** Sessions of the person, or of everybody for an administrator. */
export const sessionsQuery = queryOptions({
  queryKey: ['accounts', 'sessions'],
  queryFn: ({ signal }) => call('list_sessions', {}, { signal }),
  select: (answer) => answer.sessions,
});

export function endSession(sessionId: string): Promise<unknown> {
  return call('end_session', { session_id: sessionId });
}
