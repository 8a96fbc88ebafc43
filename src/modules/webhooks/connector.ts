// A connector's settings: checked, sealed, and shown.
import { canDoAllOfPerson, mayActAsPerson } from '#kernel/caller';
import type { Context } from '#kernel/context';
import { AppError } from '#kernel/errors';
import { findBracedNames, readPastedSecret } from '#kernel/pasted-secret';
import { checkConnectorBrains } from '#modules/brains';
import { findHandle, isSigningKey } from '#modules/variables';
import type { Vault } from '#platform/vault';
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { connectorOutput, Settings } from './connector-fields.ts';
import { getProvider, getSignatureRule, findSecretError, type SignatureChoice } from './signatures/schemes.ts';
import { generateSigningSecret } from './signatures/standard.ts';
import type { ConnectorRow, VersionRow } from './store/tables.ts';
import { sealSecret } from './version-secret.ts';
import { presentPublicAddress } from './connector-address.ts';

/** A version without its number. */
export type NewVersion = Omit<VersionRow, 'number'>;

const empty = {
  scheme: 'hmac_sha256' as VersionRow['scheme'],
  provider: null,
  signature_settings: {},
  secret: null,
  secret_variable: null,
  secret_variable_id: null as string | null,
  runtime: 'v8' as VersionRow['runtime'],
  code: null,
  allowed_brain_ids: [] as string[],
};
type FormerSettings = Pick<VersionRow, keyof typeof empty | 'brain_id' | 'id' | 'workspace_id'>;
/** A generated secret is shown once to a person. An agent gets a link with which its person sees the secret. */
type BuiltVersion = {
  version: NewVersion;
  shownSecret: string | null;
  isSecretUnread: boolean | 'as before';
  isSecretKept: boolean;
  /** What was removed from a pasted secret, and names that a translator cannot use. */
  notice: string | null;
};

/** The default settings. */
export function buildDefaultSettings(ctx: Context, brainId: string): FormerSettings {
  return { ...empty, brain_id: brainId, id: ctx.newId(), workspace_id: ctx.caller.workspaceId };
}

/** The next version of a connector: the former settings with the given changes. */
export async function buildNextVersion(
  ctx: Context,
  vault: Vault,
  connectorId: string,
  before: FormerSettings,
  changes: Settings,
): Promise<BuiltVersion> {
  const { translator_runtime: runtime = before.runtime, translator_code: code = before.code } = changes;
  const signing = mergeSigning(before, changes);
  const brain_id = changes.brain_id ?? before.brain_id;
  const allowed_brain_ids = changes.allowed_brain_ids ?? before.allowed_brain_ids;
  await checkConnectorBrains(ctx, [brain_id, ...(changes.allowed_brain_ids ?? [])]);
  const { workspaceId, label } = ctx.caller;
  const of = { id: ctx.newId(), workspace_id: workspaceId, connector_id: connectorId };
  const known = await buildSecret(ctx, vault, before, { changes, signing });
  const settings = {
    scheme: signing.scheme,
    provider: signing.provider,
    signature_settings: signing.settings,
    secret: known.value === null ? null : await sealSecret(vault, ctx.db, of, known.value),
    secret_variable: known.variable,
    secret_variable_id: known.value === null ? null : (known.variableId ?? null),
    runtime,
    code,
    brain_id,
    allowed_brain_ids,
  };
  const version = {
    ...of,
    ...settings,
    created_by_label: label,
    created_at: ctx.now,
  };
  const isPerson = canDoAllOfPerson(ctx.caller);
  const isSecretUnread = known.made !== null ? !isPerson : known.isKept ? 'as before' : false;
  const { made, isKept = false } = known;
  const notice = [known.notice, findCodeNotice(changes.translator_code ?? '')].filter(Boolean).join(' ') || null;
  return { version, shownSecret: isPerson ? made : null, isSecretUnread, isSecretKept: isKept, notice };
}

/** A translator has no secrets: names in double braces stay as they are. */
function findCodeNotice(code: string): string | null {
  const names = findBracedNames(code).slice(0, 10);
  if (!names.length) return null;
  return `The translator contains ${names.map((name) => `{{${name}}}`).join(', ')}: translators have no secrets, so this text stays unchanged.`;
}

function mergeSigning(before: FormerSettings, changes: Settings): SignatureChoice {
  const { signature_scheme: scheme, provider, signature_settings } = changes;
  const settings = signature_settings ?? before.signature_settings;
  if (provider) return { scheme: 'provider', provider, settings: {} };
  if (scheme === 'provider' && !before.provider)
    throw new AppError('invalid_input', 'provider: name the sender, or set a signature_scheme of your own.');
  if (!scheme || scheme === 'provider') return { scheme: before.scheme, provider: before.provider, settings };
  return { scheme, provider: null, settings };
}

type Secret = {
  value: string | null;
  variable: string | null;
  /** The variable that the name means, to which the connector is bound. */
  variableId?: string | null;
  made: string | null;
  isKept?: true;
  notice?: string | null;
};

async function buildSecret(
  ctx: Context,
  vault: Vault,
  before: FormerSettings,
  { changes, signing }: { changes: Settings; signing: SignatureChoice },
): Promise<Secret> {
  const { webhook_secret: given, webhook_secret_variable: name } = changes;
  if (given !== undefined && name !== undefined)
    throw new AppError('invalid_input', 'Give webhook_secret or webhook_secret_variable, not both.');
  if (signing.scheme === 'none') return { value: null, variable: null, made: null };
  if (given !== undefined) {
    const { value: pasted, notice } = readPastedSecret(given, { field: 'webhook_secret', hasNoQuotes: true });
    return { value: fit(signing, await resolveSecretValue(ctx, vault, pasted)), variable: null, made: null, notice };
  }
  if (name !== undefined) {
    const found = await findHandle(vault, ctx, { name });
    const variableId = found?.variableId ?? null;
    if (found) checkNoGuess(ctx, name, found.value);
    return { value: found === null ? null : fit(signing, found.value), variable: name, variableId, made: null };
  }
  if (before.secret !== null && isSameSigning(before, signing))
    return {
      value: fit(signing, await vault.open(ctx.db, buildVersionSecretColumn(before), before.secret)),
      variable: before.secret_variable,
      variableId: before.secret_variable_id,
      made: null,
      isKept: true,
    };
  if (before.secret_variable !== null) return { value: null, variable: before.secret_variable, made: null };
  const made = isOurs(signing) ? generateSecret(signing) : null;
  return { value: made, variable: null, made };
}

function isSameSigning({ scheme, provider }: FormerSettings, signing: SignatureChoice): boolean {
  return scheme === signing.scheme && provider === signing.provider;
}

function buildVersionSecretColumn({ id, workspace_id: workspaceId }: FormerSettings) {
  return { workspaceId, table: 'webhook_versions', row: id, column: 'secret' };
}

/** Whether this server creates the secret and the sender receives it. */
function isOurs({ provider }: SignatureChoice): boolean {
  return provider === null || getProvider(provider).secret === 'ours';
}

function generateSecret(signing: SignatureChoice): string {
  const rule = getSignatureRule(signing, 'whsec_');
  if (rule.kind === 'standard') return generateSigningSecret();
  return randomBytes(32).toString((rule.kind === 'hmac' && rule.key) || 'base64url');
}

/** Throws when the scheme cannot use the secret. */
function fit(signing: SignatureChoice, secret: string): string {
  const why = findSecretError(signing, secret);
  if (why) throw new AppError('invalid_input', `webhook_secret: ${why}.`);
  return secret;
}

async function resolveSecretValue(ctx: Context, vault: Vault, given: string): Promise<string> {
  if (!/^sec_[A-Za-z0-9]{24}$/.test(given)) return given;
  const found = await findHandle(vault, ctx, { handle: given });
  if (found === null) throw new AppError('not_found', 'None of your variables has this handle. See list_variables.');
  checkNoGuess(ctx, 'webhook_secret', found.value);
  return found.value;
}

/**
 * From the events an agent would learn whether a guess of the secret was right, so it gets no secret that can be
 * guessed.
 */
function checkNoGuess({ caller }: Context, name: string, value: string): void {
  if (mayActAsPerson(caller) || isSigningKey(value)) return;
  const message = `${name} is too short for a signing secret: it needs 16 bytes, and more than digits. A person may use it at the console.`;
  throw new AppError('invalid_input', message);
}

/** The page where the owner sees a generated secret. Null: none waits. */
export function findSecretLink(
  publicUrl: string,
  { id, has_unread_secret }: Pick<ConnectorRow, 'id' | 'has_unread_secret'>,
): string | null {
  return has_unread_secret ? `${publicUrl}/webhooks/${id}` : null;
}

export function presentConnector(
  connector: ConnectorRow,
  head: VersionRow,
  active: VersionRow | undefined,
  publicUrl: string,
): z.input<typeof connectorOutput> {
  const { id, name, state, created_at, updated_at } = connector;
  return {
    webhook_connector_id: id,
    name,
    status: state,
    status_reason: connector.state_reason,
    brain_id: head.brain_id,
    allowed_brain_ids: head.allowed_brain_ids,
    ...presentPublicAddress(connector, [head, active], publicUrl),
    signature_scheme: head.scheme,
    provider: head.provider,
    signature_settings: head.signature_settings,
    has_secret: head.secret !== null,
    has_unread_secret: connector.has_unread_secret,
    waits_for_variable: head.secret === null ? head.secret_variable : null,
    translator_runtime: head.runtime,
    has_translator: head.code !== null,
    version: head.number,
    active_version: active?.number ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
