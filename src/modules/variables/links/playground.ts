// The playground: a person tests their own OAuth client, and stores its tokens without ever seeing them.
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import type { Caller } from '#kernel/caller';
import type { EmitEvent } from '#kernel/event';
import type { Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { readPastedSecret } from '#kernel/pasted-secret';
import { keepForBrowser, takeForBrowser } from '#modules/connections';
import type { Vault } from '#platform/vault';
import { resolveConsentPlace, type ConsentPlace, type CheckUrl } from '../consents/consent-plan.ts';
import { getVariableConsents, type Consents, type ConsentTokens } from '../consents/consents.ts';
import type { VariableTier } from '../tiers.ts';
import { saveGiven } from './save-given.ts';
import { keepTokenEndpoint } from '../tokens/token-endpoints.ts';
import type { VariableInput } from '../variables.ts';

/** The fields of the playground's form. */
export type Trial = {
  provider: string;
  label: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
  authorizeUrl: string;
  tokenUrl: string;
};

/** A token as a page may show it: its length, and nothing usable. */
export type MaskedToken = { name: string; masked: string };

/** The result of a test; `id` is the secret with which it is stored, in the same session. */
export type TrialResult = { id: string; label: string; tokens: MaskedToken[]; scopes: string[]; lasts: string };

export type Playground = {
  /** Returns the address of the consent page. */
  begin(caller: Caller, trial: Trial): Promise<string>;
  finish(caller: Caller, callback: { code: string; state: string }): Promise<TrialResult>;
  /** Stores the client and its tokens as variables with this prefix; returns their names. */
  save(
    caller: Caller,
    saving: { id: string; prefix: string; scope: 'person' | 'org' },
    requestId: string,
  ): Promise<string[]>;
};

type Options = {
  transactions: Transactions;
  vault: Vault;
  emitEvent: EmitEvent;
  consents: Consents;
  checkUrl: CheckUrl;
  now: () => Date;
  newId: () => string;
};

type TrialConsent = { place: ConsentPlace; clientId: string; clientSecret: string; tokens: ConsentTokens };

const livesMs = 15 * 60_000;
const result = 'playground_result';

function createPlayground(options: Options): Playground {
  const { transactions, vault, consents, now, newId } = options;
  return {
    begin: (caller, trial) => begin(options, caller, trial),

    async finish(caller, { code, state }) {
      const { workspaceId, id: browser } = caller;
      const given = await consents.finish('playground', { code, state, browser });
      const { place, clientId, clientSecret, tokens } = given;
      const kept: TrialConsent = { place, clientId, clientSecret, tokens };
      const [at, expiresAt] = [now(), new Date(now().getTime() + livesMs)];
      const keeping = { kind: result, id: newId(), workspaceId, browser, at, expiresAt, kept } as const;
      const id = await transactions.run(workspaceId, 'write', (db) => keepForBrowser(db, vault, keeping));
      const { expiresInSeconds: seconds } = tokens;
      const lasts = seconds === null ? 'no expiry' : `${Math.round(seconds / 60)} minutes`;
      return { id, label: place.label, tokens: maskTokens(tokens), scopes: tokens.scopes ?? [], lasts };
    },

    async save(caller, { id, prefix, scope }, requestId) {
      checkSaving(caller, prefix, scope);
      const { workspaceId, personId } = caller;
      const variableTier: VariableTier = { scope, scopeId: scope === 'org' ? workspaceId : personId };
      return transactions.run(workspaceId, 'write', async (db) => {
        const kept = await takeForBrowser<TrialConsent>(db, vault, {
          kind: result,
          state: id,
          browser: caller.id,
          at: now(),
        });
        if (!kept)
          throw new AppError('conflict', 'This test result has expired, or was already stored. Run the test again.');
        const given = buildTrialVariables(prefix, kept, consents);
        const by = { workspaceId, by: personId, byLabel: caller.label, caller, page: 'oauth_playground', requestId };
        const names = (await saveGiven(options, db, variableTier, given, by)).map(({ name }) => name);
        const buyers = names.filter((name) => !name.endsWith('_ACCESS_TOKEN'));
        await keepTokenEndpoint(db, { workspaceId, variableTier, place: kept.place }, buyers);
        return names;
      });
    },
  };
}

async function begin(
  { transactions, consents, checkUrl, now }: Options,
  caller: Caller,
  trial: Trial,
): Promise<string> {
  const { clientId, clientSecret, scopes, label, provider, authorizeUrl, tokenUrl } = trial;
  if (!clientId || !clientSecret || !scopes.length)
    throw new AppError('invalid_input', 'The client id, its secret and at least one scope are required.');
  const place = resolveConsentPlace({ provider, label, scopes, authorizeUrl, tokenUrl }, checkUrl);
  await consents.check(place);
  const { workspaceId, id: browser } = caller;
  const expiresAt = new Date(now().getTime() + livesMs);
  const asked = {
    place,
    scopes,
    clientId: readPastedSecret(clientId, { field: 'client id' }).value,
    clientSecret: readPastedSecret(clientSecret, { field: 'client secret' }).value,
    callback: 'playground',
    kept: null,
  } as const;
  return transactions.run(workspaceId, 'write', (db) =>
    consents.begin(db, { workspaceId, browser, expiresAt, ...asked }),
  );
}

function checkSaving(caller: Caller, prefix: string, scope: VariableTier['scope']): void {
  if (!/^[A-Za-z0-9_]{1,100}$/.test(prefix))
    throw new AppError('invalid_input', 'The prefix must have only letters, digits and _, such as MY_GMAIL.');
  if (scope === 'org' && caller.role === 'member')
    throw new AppError('forbidden', 'Only administrators set variables of the workspace. Store them as your own.');
}

/** What is stored, under the names that tools expect. Each variable may be used only where OAuth needs it. */
function buildTrialVariables(
  prefix: string,
  { place, clientId, clientSecret, tokens }: TrialConsent,
  consents: Consents,
): VariableInput[] {
  const hosts = [consents.getHost(place)];
  const client = [
    { name: `${prefix}_CLIENT_ID`, value: clientId, hosts, placements: ['header', 'form:client_id'] },
    { name: `${prefix}_CLIENT_SECRET`, value: clientSecret, hosts, placements: ['header', 'form:client_secret'] },
  ];
  const lasting = tokens.refreshToken
    ? { name: `${prefix}_REFRESH_TOKEN`, value: tokens.refreshToken, hosts, placements: ['form:refresh_token'] }
    : {
        name: `${prefix}_ACCESS_TOKEN`,
        value: tokens.accessToken,
        hosts: consents.listApiHosts(place),
        placements: ['header'],
      };
  return [...client, lasting];
}

function maskTokens({ accessToken, refreshToken }: ConsentTokens): MaskedToken[] {
  const mask = (token: string) => `${'•'.repeat(12)} (${token.length} characters)`;
  return [
    { name: 'Refresh token', masked: refreshToken ? mask(refreshToken) : 'none was returned' },
    { name: 'Access token', masked: mask(accessToken) },
  ];
}

/** The server's playground. */
export const getPlayground = memoizePerServer((ground: Ground) =>
  createPlayground({ ...ground, consents: getVariableConsents(ground), checkUrl: ground.egress.check, now, newId }),
);
