// The pages behind links: they show the request, store a person's values, request a consent and finish it.
import { memoizePerServer } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import type { Caller } from '#kernel/caller';
import type { EmitEvent } from '#kernel/event';
import type { Db, Transactions } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { readPastedSecret, trimmedNotice } from '#kernel/pasted-secret';
import { defaultPlacements, isHostRule } from '#platform/egress';
import { presentSecret, generateSecret, useSecret } from '#platform/one-time-secrets';
import type { Vault } from '#platform/vault';
import type { Kysely } from 'kysely';
import { getCallbackUrls, getVariableConsents, type AskedConsent, type Consents } from '../consents/consents.ts';
import type { ConsentPlan } from '../consents/consent-plan.ts';
import { linkPurpose } from './links.ts';
import { findLink, type LinkField, type LinkRow } from '../store/links.ts';
import type { SetterKind } from '../store/variables.ts';
import { saveGiven, type SavedName } from './save-given.ts';
import { keyPlacement } from '../signing-key.ts';
import { keepTokenEndpoint } from '../tokens/token-endpoints.ts';
import { mayHaveLines, type VariableInput } from '../variables.ts';

/** The content of a page before any value. */
export type LinkView = {
  label: string;
  askedBy: string;
  /** An agent may have its own link: values that are sent without a signed-in person count as written by the agent. */
  isMadeByAgent: boolean;
  scope: LinkRow['scope'];
  fields: Pick<LinkField, 'name' | 'label' | 'description' | 'inputType' | 'hosts' | 'placements' | 'asksHosts'>[];
  /** The consent that follows, and its variables. */
  consent: {
    label: string;
    /** The consent page, and the token endpoint. */
    hosts: { authorize: string; token: string };
    scopes: string[];
    derived: string[];
    redirectUri: string;
  } | null;
  expiresAt: Date;
};

/** A person's value for one field. */
export type PastedValue = { value: string; hosts: string };

/** Who submits a page: its browser's signed-in person, if there is one. */
export type Submitter = { requestId: string; signedIn: Caller | null };

/** The outcome of submitting values: stored, or a consent to be completed next by the browser with `browser`. */
export type SubmitResult = { state: 'saved'; saved: SavedName[] } | { state: 'consent'; url: string; browser: string };

export type LinkPages = {
  /** Throws when the link is unknown, used or expired, each with what to do. */
  open(token: string): Promise<LinkView>;
  /**
   * Stores all values or none. Throws `invalid_input` with the error, without a value, and `forbidden` when an agent's
   * link would replace a value, or start a consent, without a signed-in person.
   */
  submit(token: string, pasted: Readonly<Record<string, PastedValue>>, by: Submitter): Promise<SubmitResult>;
  finish(
    callback: { code: string; state: string; browser: string },
    requestId: string,
  ): Promise<{ label: string; names: string[] }>;
};

export type PageOptions = {
  db: Kysely<unknown>;
  transactions: Transactions;
  vault: Vault;
  emitEvent: EmitEvent;
  consents: Consents;
  redirectUri: string;
  now: () => Date;
  newId: () => string;
};

type OpenLink = { link: LinkRow; expiresAt: Date };
/** The pasted values, until the consent is completed. */
type SubmittedValues = { given: VariableInput[]; link: LinkRow; token: string; storer?: Storer };
/**
 * Who stores through a link, and whether they may replace a value. The previous version stored it with a consent
 * without a kind.
 */
type Storer = { label: string; mayReplace: boolean; kind?: SetterKind };

const longestValue = 8_192;

function createLinkPages(options: PageOptions): LinkPages {
  const { transactions, now } = options;
  return {
    async open(token) {
      const { link, expiresAt } = await findOpen(options, token);
      const { label, created_by_label: askedBy, is_made_by_agent: isMadeByAgent, scope, fields, consent } = link;
      const asked = consent && {
        label: consent.label,
        hosts: { authorize: new URL(consent.authorizeUrl).host, token: new URL(consent.tokenUrl).host },
        scopes: consent.scopes,
        derived: Object.keys(consent.derive),
        redirectUri: options.redirectUri,
      };
      return { label, askedBy, isMadeByAgent, scope, fields, consent: asked, expiresAt };
    },

    async submit(token, pasted, { requestId, signedIn }) {
      const { link, expiresAt } = await findOpen(options, token);
      const given = link.fields.map((field) => toVariableInput(field, pasted[field.name]));
      const storer = getStorer(link, signedIn);
      if (storer.kind === 'agent') checkNeedsNobody(link);
      if (link.consent) return beginConsent(options, { token, link, consent: link.consent, expiresAt, storer }, given);
      const saved = await transactions.run(link.workspace_id, 'write', async (db) => {
        await useUp(db, token, now());
        return saveAll(options, db, link, given, { requestId, storer });
      });
      const isTrimmed = (name: string) => pasted[name]?.value !== given.find((each) => each.name === name)?.value;
      return {
        state: 'saved',
        saved: saved.map(({ name, notice }) => ({
          name,
          notice: isTrimmed(name) ? `${trimmedNotice} ${notice ?? ''}` : notice,
        })),
      };
    },

    async finish({ code, state, browser }, requestId) {
      const asked = await options.consents.finish<SubmittedValues>('bundle', { code, state, browser });
      const { given, link, token, storer = getStorer(asked.kept.link, null) } = asked.kept; // started by the previous version
      const derived = deriveVariables(options, link, asked);
      await transactions.run(asked.workspaceId, 'write', async (db) => {
        await useUp(db, token, now());
        await saveAll(options, db, link, [...given, ...derived], { requestId, storer });
        if (link.consent)
          await keepTokenEndpoint(db, getTokenEndpoint(link, link.consent), listBuyerNames(link.consent));
      });
      return { label: link.label, names: [...given, ...derived].map(({ name }) => name) };
    },
  };
}

async function findOpen({ db, transactions, now }: PageOptions, token: string): Promise<OpenLink> {
  const made = await presentSecret(db, linkPurpose, token);
  const link = made && (await transactions.run(made.workspaceId, 'read', (bound) => findLink(bound, made.subjectId)));
  if (!link) throw new AppError('not_found', 'There is no such link. Copy it whole, or ask for a new one.');
  if (made.usedAt) throw createLinkUsedError();
  if (made.expiresAt <= now()) {
    throw new AppError('conflict', 'This link has expired: links are valid for a few minutes only. Ask for a new one.');
  }
  return { link, expiresAt: made.expiresAt };
}

/** Uses up a link: of two concurrent uses one succeeds. */
async function useUp(db: Db, token: string, at: Date): Promise<void> {
  if (!(await useSecret(db, linkPurpose, { secret: token, at }))) throw createLinkUsedError();
}

function toVariableInput(field: LinkField, pasted: PastedValue | undefined): VariableInput {
  if (!pasted?.value.trim()) throw new AppError('invalid_input', `${field.label}: the value is missing.`);
  const { name, description, placements = [...defaultPlacements] } = field; // as the page says
  const { value } = readPastedSecret(pasted.value, { field: field.label, mayHaveLines: mayHaveLines(placements) });
  if (value.length > longestValue)
    throw new AppError('invalid_input', `${field.label}: longer than ${longestValue} characters.`);
  const hosts = field.asksHosts ? parseHosts(field, pasted.hosts) : field.hosts;
  return { name, value, hosts, placements, ...(description && { description }) };
}

function parseHosts({ label }: LinkField, text: string): string[] {
  const hosts = text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const wrong = hosts.find((host) => host.length > 260 || !isHostRule(host));
  if (wrong !== undefined || hosts.length > 50) {
    throw new AppError('invalid_input', `${label}: hosts are names such as api.example.com or *.example.com.`);
  }
  return hosts;
}

async function beginConsent(
  { consents, transactions }: PageOptions,
  {
    token,
    link,
    consent,
    expiresAt,
    storer,
  }: OpenLink & { token: string; consent: NonNullable<LinkRow['consent']>; storer: Storer },
  given: VariableInput[],
): Promise<SubmitResult> {
  const findValue = (name: string) => given.find((each) => each.name === name)?.value ?? '';
  const browser = generateSecret();
  await consents.check(consent);
  const url = await transactions.run(link.workspace_id, 'write', (db) =>
    consents.begin(db, {
      workspaceId: link.workspace_id,
      linkId: link.id,
      place: consent,
      scopes: consent.scopes,
      clientId: findValue(consent.clientIdFrom),
      clientSecret: findValue(consent.clientSecretFrom),
      callback: 'bundle',
      browser,
      expiresAt,
      kept: { given, link, token, storer } satisfies SubmittedValues,
    }),
  );
  return { state: 'consent', url, browser };
}

/** The variables of the consent. Throws when the provider left one out. */
function deriveVariables(
  { consents }: PageOptions,
  { consent }: LinkRow,
  { tokens, place }: AskedConsent,
): VariableInput[] {
  return Object.entries(consent?.derive ?? {}).map(([name, which]) => {
    const value = which === 'refresh_token' ? tokens.refreshToken : tokens.accessToken;
    if (!value) {
      throw new AppError(
        'upstream_failed',
        `${place.label} returned no ${which.replace('_', ' ')}. Remove the access at the provider, and open the link again.`,
      );
    }
    const isRefresh = which === 'refresh_token';
    const hosts = isRefresh ? [consents.getHost(place)] : consents.listApiHosts(place);
    return { name, value, hosts, placements: [isRefresh ? 'form:refresh_token' : 'header'] };
  });
}

function getTokenEndpoint({ workspace_id: workspaceId, scope, scope_id: scopeId }: LinkRow, place: ConsentPlan) {
  return { workspaceId, variableTier: { scope, scopeId }, place };
}

/** The variables that buy tokens at the endpoint of a consent. */
function listBuyerNames({ clientIdFrom, clientSecretFrom, derive }: ConsentPlan): string[] {
  const lasting = Object.keys(derive).filter((name) => derive[name] === 'refresh_token');
  return [clientIdFrom, clientSecretFrom, ...lasting];
}

/**
 * The holder of a link stores with it. An agent may have its own link, so values from it are the agent's, and replace
 * nothing, unless a signed-in person who may change them submits them.
 */
function getStorer(link: LinkRow, signedIn: Caller | null): Storer {
  const { workspace_id, scope, scope_id, is_made_by_agent: isByAgent, created_by_label: author } = link;
  const isTheirs =
    signedIn !== null &&
    signedIn.workspaceId === workspace_id &&
    (scope !== 'person' || signedIn.personId === scope_id);
  if (isTheirs) return { label: signedIn.label, mayReplace: true, kind: 'person' };
  if (isByAgent) return { label: `a link of ${author}`, mayReplace: false, kind: 'agent' };
  return { label: author, mayReplace: true, kind: 'person' };
}

/**
 * Throws `forbidden` when an agent's link needs a signed-in person: with a consent the server would send the pasted
 * values to an address that the link's author chose, and store it as a token endpoint; and an agent may not set signing
 * keys.
 */
function checkNeedsNobody({ consent, fields }: LinkRow): void {
  const isKey = fields.some(({ placements }) => placements?.includes(keyPlacement));
  if (!consent && !isKey) return;
  const what = consent ? 'completes a consent' : 'sets a key';
  const message = `An agent created this link, so only a signed-in person ${what} with it: sign in to the console in this browser, and open the link again.`;
  throw new AppError('forbidden', message);
}

/** Stores the values at the link's tier, as the link's author. */
function saveAll(
  options: PageOptions,
  db: Db,
  link: LinkRow,
  given: readonly VariableInput[],
  { requestId, storer: { label: byLabel, mayReplace, kind: byKind = 'person' } }: { requestId: string; storer: Storer },
): Promise<SavedName[]> {
  const { workspace_id: workspaceId, created_by: by, scope, scope_id: scopeId } = link;
  const caller = { kind: 'link', id: link.id };
  const byPage = { workspaceId, by, byLabel, byKind, mayReplace, caller, page: 'set_variables_page', requestId };
  return saveGiven(options, db, { scope, scopeId }, given, byPage);
}

function createLinkUsedError(): AppError {
  return new AppError('conflict', 'This link was already used, and works once. Ask for a new one.');
}

/** The server's pages behind variable links. */
export const getLinkPages = memoizePerServer((ground: Ground) =>
  createLinkPages({
    ...ground,
    consents: getVariableConsents(ground),
    redirectUri: getCallbackUrls(ground.config.publicUrl).bundle,
    now,
    newId,
  }),
);
