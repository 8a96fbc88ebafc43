// A person's answer to a request to connect: the allowed scopes become a new grant, also for a known client.
import { isAtConsole, type Caller } from '#kernel/caller';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import type { Rule } from '#kernel/rule';
import type { Scope } from '#kernel/scopes';
import { insertAuditRow } from '#modules/audit';
import { checkFreshSession, findWorkspaceName, isFreshSession } from '#modules/accounts';
import { readBrainAccess, findBrains } from '#modules/brains';
import { hashSecret } from '#platform/one-time-secrets';
import type { Client, Interaction, Provider } from 'oidc-provider';
import { usedClientSeconds } from '../protocol/adapter.ts';
import { getRedirectHost } from '../protocol/client-metadata.ts';
import { listAdditionalScopes, listStepUpScopes, listUsualScopes } from '../clients/client-scopes.ts';
import { buildProtocolName } from '../protocol/protocol-names.ts';
import type { Resources } from '../resources.ts';
import { insertGrant } from '../store/grants.ts';
import { putClient } from '../store/requests.ts';

/** A client that wants to connect, as the person sees it. */
export type ConnectRequest = {
  clientId: string;
  /** The client's own name. */
  clientName: string;
  /** Where codes are sent; null: to a program on a computer. */
  clientHost: string | null;
  /** The host that published its description. */
  documentHost: string | null;
  /** The hash of the client's description, which the answer sends back: only what the person saw is allowed. */
  descriptionHash: string;
  asked: readonly string[];
  resource: string;
};

/** The choices of the person. */
export type ConsentOffer = {
  usual: readonly Scope[];
  /** Its further requested scopes. */
  stepUp: readonly Scope[];
  /** Scopes that every client is offered; only the person ticks them. */
  additional: readonly Scope[];
  /** Whether the person has just proved who they are; only then can they allow these. */
  isFresh: boolean;
  /** The brains it could use. */
  workspace: string;
  brains: readonly { id: string; name: string; isHome: boolean }[];
};

/** The person's decision. */
export type ConsentChoice = {
  scopes: readonly string[];
  homeBrainId: string;
  reach: 'owner' | 'brain';
  toolsets: readonly string[] | null;
  /** The actions it may draft, within the rules of the workspace. */
  rules: readonly Rule[];
  expiresAt: Date | null;
};

export type ConnectingDeps = {
  provider: Provider;
  transactions: Transactions;
  resources: Resources;
  now: () => Date;
  newId: () => string;
};

/** A browser's request; null when it has expired or was answered. */
export async function readInteraction(
  { provider }: ConnectingDeps,
  uid: string,
): Promise<{ interaction: Interaction; request: ConnectRequest } | null> {
  const interaction = await provider.Interaction.find(uid);
  if (!interaction) return null;
  const request = await readConnectRequest(provider, interaction.params);
  return request && { interaction, request };
}

/** The request of a client. Null: the client is no longer known. */
export async function readConnectRequest(
  provider: Provider,
  params: Record<string, unknown>,
): Promise<ConnectRequest | null> {
  const text = (name: string) => (typeof params[name] === 'string' ? params[name] : '');
  const client = await provider.Client.find(text('client_id'));
  if (!client) return null;
  const redirect = text('redirect_uri');
  const clientHost = redirect ? getRedirectHost(redirect) : null;
  const documentHost = client.clientId.startsWith('https://') ? new URL(client.clientId).host : null;
  return {
    clientId: client.clientId,
    clientName: client.clientName ?? documentHost ?? clientHost ?? 'A program without a name',
    clientHost,
    documentHost,
    descriptionHash: hashDescription(client),
    asked: text('scope').split(' '),
    resource: text('resource'),
  };
}

function hashDescription(client: Client): string {
  return hashSecret(JSON.stringify(client.metadata()));
}

/**
 * The scopes that this person may allow. Throws `forbidden` unless they are looking at this page, and `conflict` in
 * another workspace.
 */
export async function offerTo(deps: ConnectingDeps, caller: Caller, request: ConnectRequest): Promise<ConsentOffer> {
  checkPerson(deps, caller, request);
  return deps.transactions.run(caller.workspaceId, 'read', async (db) => {
    const { homeBrainId, roles } = await readBrainAccess(db, caller);
    const writable = [...roles].filter(([, role]) => role !== 'viewer').map(([id]) => id);
    const brains = (await findBrains(db, writable)).map(({ id, name }) => ({ id, name, isHome: id === homeBrainId }));
    const stepUp = listStepUpScopes(caller.role, request.asked);
    const workspace = await findWorkspaceName(db, caller.workspaceId);
    const isFresh = await isFreshSession(db, caller, deps.now());
    const [usual, additional] = [listUsualScopes(caller.role), listAdditionalScopes(caller.role)];
    return { usual, stepUp, additional, isFresh, workspace, brains };
  });
}

function checkPerson({ resources }: ConnectingDeps, caller: Caller, { resource }: ConnectRequest): void {
  if (!isAtConsole(caller)) {
    throw new AppError(
      'forbidden',
      'This session was opened by a key, and cannot connect clients. Sign in as a person.',
    );
  }
  const workspaceId = resources.findWorkspace(resource);
  if (workspaceId && workspaceId !== caller.workspaceId) {
    throw new AppError(
      'conflict',
      'This client asks for another workspace than the one you are signed in to. Sign in to that workspace, and connect the client again.',
    );
  }
}

/** A person's answer, as the page sent it. */
export type Answer = {
  choice: ConsentChoice;
  /** The `descriptionHash` of the page. */
  seen: string;
  requestId: string;
};

/** The protocol's names of a grant and its person, and the allowed scopes. */
type ProtocolGrant = { grantId: string; accountId: string; scope: string };

/**
 * Creates the grant; `keep` stores it elsewhere in the same transaction. Throws for choices that were not offered, and
 * `conflict` with the reason `description_changed` when the client's description differs from what the person saw.
 */
export async function grantTo(
  deps: ConnectingDeps,
  caller: Caller,
  { request, choice, seen, requestId }: Answer & { request: ConnectRequest },
  keep?: (db: Db, granted: ProtocolGrant) => Promise<void>,
): Promise<ProtocolGrant> {
  const { usual, stepUp, additional, brains } = await offerTo(deps, caller, request);
  const scopes = [...usual, ...stepUp, ...additional].filter((scope) => choice.scopes.includes(scope));
  if (!scopes.length) throw new AppError('invalid_input', 'Tick at least one thing that it may do.');
  if (scopes.length !== new Set(choice.scopes).size) throw new AppError('invalid_input', 'This was not offered.');
  if (!brains.some(({ id }) => id === choice.homeBrainId))
    throw new AppError('invalid_input', 'Choose one of your brains.');
  const { workspaceId, personId } = caller;
  const id = deps.newId();
  const client = await deps.provider.Client.find(request.clientId);
  if (!client) throw createConnectGoneError();
  if (request.descriptionHash !== seen || hashDescription(client) !== seen) throw createChangedError();
  const granted = {
    grantId: buildProtocolName({ workspaceId, id }),
    accountId: buildProtocolName({ workspaceId, id: personId }),
    scope: scopes.join(' '),
  };
  await deps.transactions.run(workspaceId, 'write', async (db) => {
    if (stepUp.some((scope) => scopes.includes(scope))) await checkFreshSession(db, caller, deps.now());
    await insertGrant(db, {
      id,
      workspace_id: workspaceId,
      person_id: personId,
      client_id: request.clientId,
      client_name: request.clientName,
      client_host: request.clientHost,
      document_host: request.documentHost,
      scopes,
      resource: request.resource,
      home_brain_id: choice.homeBrainId,
      reach: choice.reach,
      toolsets: choice.toolsets && [...choice.toolsets],
      rules: [...choice.rules],
      created_at: deps.now(),
      expires_at: choice.expiresAt,
    });
    await insertConnectAudit(deps, db, caller, { id, requestId });
    if (request.documentHost) await keepDocument(db, client);
    await keep?.(db, granted);
  });
  return granted;
}

/** Tokens are exchanged with the description that the person saw, even while its host does not answer. */
async function keepDocument(db: Db, client: Client): Promise<void> {
  const payload = client.metadata() as Record<string, unknown>;
  await putClient(db, { hash: hashSecret(client.clientId), payload }, usedClientSeconds);
}

async function insertConnectAudit(
  { now, newId }: ConnectingDeps,
  db: Db,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  await insertAuditRow(db, {
    id: newId(),
    workspace_id: caller.workspaceId,
    at: now(),
    caller_kind: caller.kind,
    caller_id: caller.id,
    person_id: caller.personId,
    operation: 'connect_client',
    face: 'console',
    request_id: requestId,
    subject: { connected_client: [id] },
  });
}

function createChangedError(): AppError {
  return new AppError(
    'conflict',
    'Nothing was decided: this client changed its description after this page was opened. Check it again.',
    { reason: 'description_changed' },
  );
}

export function createConnectGoneError(): AppError {
  return new AppError('not_found', 'This request has expired or was answered. Start again in the client.');
}
