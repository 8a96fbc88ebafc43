// The authorization server for the web face: the protocol's own addresses, and people's answers.
import type { Caller } from '#kernel/caller';
import type { Db } from '#kernel/database';
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { enterWorkspace, presentHash, writePresented } from '#platform/database';
import type { Kysely } from 'kysely';
import type { Provider } from 'oidc-provider';
import { ask, type ProtocolAnswer, type ProtocolRequest } from './protocol/ask.ts';
import {
  createConnectGoneError,
  grantTo,
  offerTo,
  readInteraction,
  type Answer,
  type ConnectRequest,
  type ConsentOffer,
} from './consents/connecting.ts';
import { createDevices } from './consents/devices.ts';
import { clientDisconnected } from './events.ts';
import { askDocumentsOnce } from './protocol/fetch-through.ts';
import { createProvider } from './protocol/provider.ts';
import { createResources, type Resources } from './resources.ts';
import { endGrant, findGrant, wasConnected, type EndReason } from './store/grants.ts';
import { markAnswered, findTokenOwner } from './store/tokens.ts';
import { runAsUnit } from './protocol/unit.ts';

/** Where a request to connect comes from: a browser that was redirected here, or a code that a person typed. */
export type RequestKey = { interaction: string } | { userCode: string };

export type OauthServer = {
  resources: Resources;
  /** Answers a request of the protocol that does not concern tokens. */
  answer(request: ProtocolRequest): Promise<ProtocolAnswer>;
  /**
   * Whether the browser may be sent to the address of a client: its person answered this request, or allowed that
   * client before. `uid` is the request that the browser returned to.
   */
  mayCallBack(request: { uid?: string; clientId?: string; person: Caller | null }): Promise<boolean>;
  /** Answers a token request, in one transaction. `left` is called when the answer was sent. */
  exchange(request: ProtocolRequest): Promise<ProtocolAnswer & { left(): Promise<void> }>;
  /** The request of a client; null: it has expired or was answered. */
  read(key: RequestKey): Promise<ConnectRequest | null>;
  offer(caller: Caller, request: ConnectRequest): Promise<ConsentOffer>;
  /** Returns the next address of the browser; null: none, because the program on the other device continues. */
  allow(key: RequestKey, caller: Caller, given: Answer): Promise<string | null>;
  decline(key: RequestKey): Promise<string | null>;
};

export const getOAuthServer = memoizePerServer(createOauthServer);

function createOauthServer(ground: Ground): OauthServer {
  const { db, transactions, config, egress } = ground;
  const { publicUrl, isSecure, oauthSchemes } = config;
  const resources = createResources(publicUrl);
  const provider = createProvider({
    db,
    publicUrl,
    isSecure,
    egress,
    resources,
    moreSchemes: oauthSchemes,
    now,
    endGrant: createEndGrant(ground),
  });
  provider.on('server_error', (_ctx, err) =>
    ground.log.error({ err }, 'the authorization server failed because of a bug'),
  );
  const listener = provider.callback();
  const deps = { provider, transactions, resources, now, newId };
  const devices = createDevices({ ...deps, db });
  const answer = (request: ProtocolRequest) => askDocumentsOnce(() => ask(listener, publicUrl, request));

  return {
    resources,
    answer,
    mayCallBack: createMayCallBack(ground, provider),
    exchange: (request) =>
      writePresented(db, [], (inner) =>
        runAsUnit(inner, async (unit) => {
          const answered = await answer(request);
          if (answered.status >= 500) throw new Error('a request about tokens failed; nothing of it is stored');
          return { ...answered, left: () => noteLeft(db, unit.code) };
        }),
      ),
    read: async (key) =>
      'interaction' in key
        ? ((await readInteraction(deps, key.interaction))?.request ?? null)
        : devices.read(key.userCode),
    offer: (caller, request) => offerTo(deps, caller, request),
    async allow(key, caller, given) {
      if ('userCode' in key) return devices.allow(key.userCode, caller, given);
      const found = await readInteraction(deps, key.interaction);
      if (!found) throw createConnectGoneError();
      const { interaction, request } = found;
      if (interaction.result?.consent) return interaction.returnTo;
      const { grantId, accountId, scope } = await grantTo(deps, caller, { request, ...given });
      interaction.params = { ...interaction.params, scope };
      interaction.result = { login: { accountId, remember: false }, consent: { grantId } };
      await interaction.save(interaction.remainingTTL);
      return interaction.returnTo;
    },
    async decline(key) {
      if ('userCode' in key) return devices.decline(key.userCode);
      const interaction = await provider.Interaction.find(key.interaction);
      if (!interaction) throw createConnectGoneError();
      interaction.result = { error: 'access_denied', error_description: 'The person declined.' };
      await interaction.save(interaction.remainingTTL);
      return interaction.returnTo;
    },
  };
}

function createMayCallBack({ transactions }: Ground, provider: Provider): OauthServer['mayCallBack'] {
  return async function mayCallBack({ uid, clientId, person }) {
    if (uid !== undefined) return (await provider.Interaction.find(uid))?.result !== undefined;
    if (!person || clientId === undefined) return false;
    const { workspaceId, personId } = person;
    return transactions.run(workspaceId, 'read', (inner) => wasConnected(inner, { personId, clientId }));
  };
}

async function noteLeft(db: Kysely<unknown>, code: string | null): Promise<void> {
  if (!code) return;
  await writePresented(db, [], async (inner) => {
    await presentHash(inner, code);
    const owner = await findTokenOwner(inner, code, 'code');
    if (!owner) return;
    await enterWorkspace(inner, owner.workspace_id);
    await markAnswered(inner, code);
  });
}

/** Ends a grant; when a token of it was used twice, its person is notified. */
function createEndGrant({ emitEvent }: Ground) {
  return async function end(
    db: Db,
    { workspaceId, id, reason }: { workspaceId: string; id: string; reason: EndReason },
  ) {
    const at = now();
    const grant = await findGrant(db, id);
    if (!(await endGrant(db, { id, reason, at })) || !grant || reason !== 'reuse') return;
    const event = { connected_client_id: id, client_name: grant.client_name, reason: 'refresh_token_reused' } as const;
    await emitEvent(db, clientDisconnected(event, { personId: grant.person_id }), { id: newId(), workspaceId, at });
  };
}
