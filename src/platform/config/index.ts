import { readPastedSecret } from '#kernel/pasted-secret';
import { resolve } from 'node:path';
import { isLoopbackName } from '#kernel/loopback-names';
import { readEmbeddingsConfig, type EmbeddingsConfig } from './embeddings.ts';
import { ConfigError } from './config-error.ts';
import { readLlmConfig, type LlmConfig } from './llm.ts';
import type { LlmCaps, OwnPrice } from './llm-money.ts';
import {
  buildProviderSettings,
  readProviderConfigs,
  type ConfigurableProvider,
  type ProviderConfig,
} from './providers.ts';
import { settings as ownSettings, type Setting, type Settings } from './settings.ts';

export { ConfigError };
export type { ConfigurableProvider };
export { version } from './version.ts';

/** The current settings, and values derived from them. */
export type Config = {
  host: string;
  port: number;
  publicUrl: string;
  dataDir: string;
  isProduction: boolean;
  /** Whether the public address uses https: cookies are then sent over https only. */
  isSecure: boolean;
  databaseUrl: string | null;
  /** The login that owns the tables; null: the login of `databaseUrl`. */
  ownerDatabaseUrl: string | null;
  /** Whether frequent statements are prepared. */
  databasePrepare: boolean;
  databasePool: number;
  bootstrapKey: string | null;
  masterKey: string | null;
  previousMasterKey: string | null;
  externalVault: { url: string; token: string; mount: string; path: string; namespace: string | null } | null;
  egressAllow: readonly string[];
  /** Replaces every host of recipes and of `http_fetch`; null: each is asked itself. */
  webBaseUrl: string | null;
  rateLimit: number;
  trustedProxies: readonly string[];
  metricsToken: string | null;
  searchMemoryMb: number;
  /** How many bytes of attachments a workspace may store. */
  attachmentRoom: number;
  /** How many bytes of document originals a workspace may store. */
  documentRoom: number;
  /** The largest body of a webhook, and how long received requests are kept. */
  webhookBytes: number;
  webhookDays: number;
  /** The bucket for document originals; null: a folder of the data directory. */
  blobs: { url: string; region: string; keyId: string; secret: string } | null;
  sendTimeoutMs: number;
  settleAfterMs: number;
  logLevel: Settings['THALAMUS_LOG_LEVEL'];
  ownerEmail: string;
  signUp: Settings['THALAMUS_SIGN_UP'];
  /** Redirect URL schemes of OAuth clients that are allowed in addition to the known ones. */
  oauthSchemes: readonly string[];
  oidc: { issuer: string; clientId: string; clientSecret: string | null; label: string } | null;
  mail: { url: string | null; from: string };
  mailGatherMs: number;
  llm: LlmConfig | null;
  /** The daily caps on the cost of models, and the operator's own prices. */
  llmCaps: LlmCaps;
  llmPrices: readonly OwnPrice[];
  embeddings: EmbeddingsConfig | null;
  refreshLeaseMs: number;
  telegramPollMs: number;
  /** OAuth clients and base URLs of providers, by their names. */
  providers: Readonly<Record<string, ProviderConfig>>;
};

/** All settings of a server, and how they are read. */
export type Configuration = {
  /** The settings by their names. The README's table is made from this. */
  settings: Readonly<Record<string, Setting>>;
  /** Reads them from an environment. Throws `ConfigError` that names every bad variable. */
  readConfig(environment?: Record<string, string | undefined>): Config;
};

/** The settings of a server with these providers. */
export function createConfiguration(providers: readonly ConfigurableProvider[]): Configuration {
  const settings: Record<string, Setting> = { ...ownSettings, ...buildProviderSettings(providers) };
  return {
    settings,
    readConfig(environment = process.env) {
      const values = readValues(settings, environment);
      // Each value is what its schema gives.
      return { ...buildConfig(values as Settings), providers: readProviderConfigs(providers, values) };
    },
  };
}

function readValues(
  settings: Readonly<Record<string, Setting>>,
  environment: Record<string, string | undefined>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const errors: string[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    const parsed = setting.schema.safeParse(readText(environment, name, errors) || undefined);
    if (parsed.success) values[name] = parsed.data;
    else errors.push(`${name}: ${parsed.error.issues[0]?.message ?? 'not valid'}. Example: ${name}=${setting.example}`);
  }
  errors.push(...listUnknownNames(settings, environment));
  if (errors.length) throw new ConfigError(`Some settings cannot be used:\n  ${errors.join('\n  ')}`);
  return values;
}

/**
 * A setting without white space at its ends, which files and scripts may add. Secrets are read like all other pasted
 * secrets.
 */
function readText(environment: Record<string, string | undefined>, name: string, errors: string[]): string | undefined {
  const text = environment[name]?.trim();
  if (!text || !/(?:SECRET|TOKEN|KEY|PASSWORD)$/.test(name)) return text;
  try {
    return readPastedSecret(environment[name] ?? '', { field: name }).value;
  } catch (error) {
    errors.push(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function buildConfig(values: Settings): Omit<Config, 'providers'> {
  const publicUrl = values.THALAMUS_PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  const isProduction = values.NODE_ENV === 'production' || !isLoopbackName(new URL(publicUrl).hostname);
  if (isProduction && !values.THALAMUS_MASTER_KEY && !values.THALAMUS_VAULT_URL) {
    throw new ConfigError(
      'THALAMUS_MASTER_KEY is required in production (NODE_ENV=production, or a public URL that is not loopback).\n' +
        'Create one with `openssl rand -base64 32`, and keep it separate from the database: without it no stored secret can be read.',
    );
  }
  return {
    host: values.THALAMUS_HOST,
    port: values.PORT,
    publicUrl,
    dataDir: resolve(values.THALAMUS_DATA_DIR),
    isProduction,
    isSecure: publicUrl.startsWith('https:'),
    databaseUrl: values.DATABASE_URL ?? null,
    ownerDatabaseUrl: getOwnerUrl(values),
    databasePrepare: values.THALAMUS_DATABASE_PREPARE === 'true',
    databasePool: values.THALAMUS_DATABASE_POOL,
    bootstrapKey: values.THALAMUS_BOOTSTRAP_KEY ?? null,
    masterKey: values.THALAMUS_MASTER_KEY ?? null,
    previousMasterKey: values.THALAMUS_MASTER_KEY_PREVIOUS ?? null,
    externalVault: getExternalVaultConfig(values),
    egressAllow: values.THALAMUS_EGRESS_ALLOW,
    webBaseUrl: values.THALAMUS_WEB_BASE_URL ?? null,
    rateLimit: values.THALAMUS_RATE_LIMIT,
    trustedProxies: values.THALAMUS_TRUSTED_PROXIES.filter((each) => each !== 'none'),
    metricsToken: values.THALAMUS_METRICS_TOKEN ?? null,
    searchMemoryMb: values.THALAMUS_SEARCH_MEMORY_MB,
    attachmentRoom: values.THALAMUS_ATTACHMENTS_MB * 1_000_000,
    documentRoom: values.THALAMUS_DOCUMENTS_MB * 1_000_000,
    webhookBytes: values.THALAMUS_WEBHOOK_MB * 1_000_000,
    webhookDays: values.THALAMUS_WEBHOOK_DAYS,
    blobs: getBlobsConfig(values),
    sendTimeoutMs: values.THALAMUS_SEND_TIMEOUT_SECONDS * 1000,
    settleAfterMs: values.THALAMUS_SETTLE_AFTER_SECONDS * 1000,
    logLevel: values.THALAMUS_LOG_LEVEL,
    ownerEmail: values.THALAMUS_OWNER_EMAIL,
    signUp: values.THALAMUS_SIGN_UP,
    oauthSchemes: values.THALAMUS_OAUTH_SCHEMES ?? [],
    oidc: getOidcConfig(values),
    mail: { url: values.THALAMUS_MAIL_URL ?? null, from: values.THALAMUS_MAIL_FROM },
    mailGatherMs: values.THALAMUS_MAIL_GATHER_SECONDS * 1000,
    llm: readLlmConfig(values),
    llmCaps: {
      person: values.THALAMUS_LLM_DAILY_USD_PERSON,
      workspace: values.THALAMUS_LLM_DAILY_USD_WORKSPACE,
      trial: values.THALAMUS_LLM_DAILY_USD_TRIAL,
    },
    llmPrices: values.THALAMUS_LLM_PRICES,
    embeddings: readEmbeddingsConfig(values),
    refreshLeaseMs: values.THALAMUS_REFRESH_LEASE_SECONDS * 1000,
    telegramPollMs: values.THALAMUS_TELEGRAM_POLL_SECONDS * 1000,
  };
}

function getOwnerUrl(values: Settings): string | null {
  const { DATABASE_URL: url, THALAMUS_OWNER_DATABASE_URL: owner } = values;
  if (owner && !url)
    throw new ConfigError(
      'THALAMUS_OWNER_DATABASE_URL also needs DATABASE_URL, the login that serves calls. Set both, or neither for the embedded database.',
    );
  return owner ?? null;
}

function getOidcConfig(values: Settings): Config['oidc'] {
  const { THALAMUS_OIDC_ISSUER: issuer, THALAMUS_OIDC_CLIENT_ID: clientId } = values;
  if (!issuer && !clientId) return null;
  if (!issuer || !clientId)
    throw new ConfigError('THALAMUS_OIDC_ISSUER and THALAMUS_OIDC_CLIENT_ID belong together: set both, or neither.');
  const label = values.THALAMUS_OIDC_LABEL ?? new URL(issuer).host;
  return { issuer, clientId, clientSecret: values.THALAMUS_OIDC_CLIENT_SECRET ?? null, label };
}

function getBlobsConfig(values: Settings): Config['blobs'] {
  const { THALAMUS_BLOBS_S3_URL: url, THALAMUS_BLOBS_S3_KEY_ID: keyId, THALAMUS_BLOBS_S3_SECRET: secret } = values;
  if (!url && !keyId && !secret) return null;
  if (!url || !keyId || !secret)
    throw new ConfigError('THALAMUS_BLOBS_S3_URL, …_KEY_ID and …_SECRET belong together: set all three, or none.');
  return { url, region: values.THALAMUS_BLOBS_S3_REGION, keyId, secret };
}

function getExternalVaultConfig(values: Settings): Config['externalVault'] {
  const { THALAMUS_VAULT_URL: url, THALAMUS_VAULT_TOKEN: token } = values;
  if (!url && !token) return null;
  if (!url || !token) {
    throw new ConfigError('THALAMUS_VAULT_URL and THALAMUS_VAULT_TOKEN belong together: set both, or neither.');
  }
  const { THALAMUS_VAULT_MOUNT: mount, THALAMUS_VAULT_PATH: path, THALAMUS_VAULT_NAMESPACE: namespace = null } = values;
  return { url, token, mount, path, namespace };
}

/** Unknown names with our prefix: most often typing errors, which would otherwise be ignored silently. */
function listUnknownNames(
  settings: Readonly<Record<string, Setting>>,
  environment: Record<string, string | undefined>,
): string[] {
  const clientSide = new Set(['THALAMUS_URL', 'THALAMUS_KEY', 'THALAMUS_CHROMIUM', 'THALAMUS_BENCH_DATA']);
  return Object.keys(environment)
    .filter((name) => name.startsWith('THALAMUS_') && !(name in settings) && !clientSide.has(name))
    .map((name) => `${name}: there is no such setting. See the settings table of the README.`);
}
