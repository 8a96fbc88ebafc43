import { trimLetters } from '#kernel/trim-end';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { egressSettings } from './egress-settings.ts';
import { llmMoneySettings } from './llm-money.ts';
import { requireUrlWithoutPath } from './public-address.ts';

const port = z.coerce.number().int().min(0).max(65_535);
const rootKey = z.string().refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64');
const postgresUrl = z.string().regex(/^(postgres(ql)?:\/\/|socket:)\S+$/, 'must begin with postgres://');
const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => trimLetters(url, '/'));

const isAddressOrRange = (text: string) => (text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text));

/** One environment variable: its rule, its meaning, and an example for the message when the value is invalid. */
export type Setting = { schema: z.ZodType; about: string; example: string };

/** Every setting except those of providers. */
export const settings = {
  NODE_ENV: {
    schema: z.enum(['development', 'test', 'production']).default('development'),
    about:
      '`production` makes the master key compulsory and cookies `Secure`; so does a public URL that is not loopback.',
    example: 'production',
  },
  PORT: { schema: port.default(4747), about: 'Port to listen on.', example: '4747' },
  THALAMUS_HOST: {
    schema: z.string().min(1).default('127.0.0.1'),
    about: 'Address to listen on. `0.0.0.0` in a container.',
    example: '0.0.0.0',
  },
  THALAMUS_PUBLIC_URL: {
    schema: requireUrlWithoutPath(httpUrl).optional(),
    about:
      'The address that people and agents use, for links and OAuth redirects, without a path. Default: `http://localhost:PORT`.',
    example: 'https://thalamus.example.com',
  },
  THALAMUS_DATA_DIR: {
    schema: z.string().min(1).default('./data'),
    about: 'Folder of the embedded database and the generated master key.',
    example: '/var/lib/thalamus',
  },
  DATABASE_URL: {
    schema: postgresUrl.optional(),
    about: 'Your own PostgreSQL, 16 or newer. Default: an embedded PostgreSQL 18 in the data folder.',
    example: 'postgres://thalamus:secret@db.example.com/thalamus',
  },
  THALAMUS_OWNER_DATABASE_URL: {
    schema: postgresUrl.optional(),
    about:
      'The same database with the login that owns its tables, connected without a pooler: for migrations, the job queue and backups. `DATABASE_URL` is then a login that owns nothing. Default: `DATABASE_URL` for everything.',
    example: 'postgres://thalamus_owner:secret@db.example.com/thalamus',
  },
  THALAMUS_DATABASE_PREPARE: {
    schema: z.enum(['true', 'false']).default('true'),
    about: '`false` for a pooler without prepared statements, such as PgBouncer before 1.21 in transaction mode.',
    example: 'false',
  },
  THALAMUS_DATABASE_POOL: {
    schema: z.coerce.number().int().min(2).max(500).default(10),
    about: 'Maximum database connections of one server process.',
    example: '10',
  },
  THALAMUS_BOOTSTRAP_KEY: {
    schema: z
      .string()
      .regex(/^cm_[A-Za-z0-9_-]{32,128}$/, 'must be cm_ and 32 to 128 letters, digits, _ or -')
      .optional(),
    about: "Becomes the owner's first key at the first start, for scripted setups.",
    example: 'cm_<32 or more random letters and digits>',
  },
  THALAMUS_MASTER_KEY: {
    schema: rootKey.optional(),
    about:
      'Root key of the vault, 32 bytes in base64 (`openssl rand -base64 32`). Compulsory in production; otherwise generated into the data folder.',
    example: 'the output of: openssl rand -base64 32',
  },
  THALAMUS_MASTER_KEY_PREVIOUS: {
    schema: rootKey.optional(),
    about: 'The previous root key, needed until `thalamus rotate-master-key` has run.',
    example: 'the old value of THALAMUS_MASTER_KEY',
  },
  THALAMUS_VAULT_URL: {
    schema: httpUrl.optional(),
    about:
      'A HashiCorp Vault that stores new secrets (KV engine, version 2). Earlier secrets stay readable. It may be private. With it the master key is optional.',
    example: 'https://vault.example.com:8200',
  },
  THALAMUS_VAULT_TOKEN: {
    schema: z.string().min(1).max(1_000).optional(),
    about: 'Token for the vault: create, read, update and delete below the path.',
    example: 'hvs.…',
  },
  THALAMUS_VAULT_MOUNT: {
    schema: z
      .string()
      .regex(/^[\w-]{1,100}$/, 'must be letters, digits, _ or -')
      .default('secret'),
    about: 'Mount of its KV engine.',
    example: 'secret',
  },
  THALAMUS_VAULT_PATH: {
    schema: z
      .string()
      .regex(/^[\w-]{1,100}(\/[\w-]{1,100})*$/, 'must be names of letters, digits, _ or -, with / between them')
      .default('thalamus'),
    about: 'Path of secrets in that engine.',
    example: 'thalamus',
  },
  THALAMUS_VAULT_NAMESPACE: {
    schema: z.string().min(1).max(200).optional(),
    about: 'Its namespace, if any.',
    example: 'team-a',
  },
  ...egressSettings,
  THALAMUS_RATE_LIMIT: {
    schema: z.coerce.number().int().min(1).default(60_000),
    about: 'Calls per minute of one key or session: a safety limit, not a quota.',
    example: '1200',
  },
  THALAMUS_TRUSTED_PROXIES: {
    schema: z
      .string()
      .default('127.0.0.0/8, ::1')
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .refine((all) => all.every((each) => each === 'none' || isAddressOrRange(each)), 'must be addresses or ranges'),
    about:
      'Reverse proxies, as addresses or ranges: `X-Forwarded-For` from any other sender is ignored. Set it unless your proxy runs on this machine; `none` trusts no proxy.',
    example: '10.0.0.0/8, fd00::/8',
  },
  THALAMUS_METRICS_TOKEN: {
    schema: z.string().min(16).max(1_000).optional(),
    about:
      'Bearer token for `GET /metrics` from other machines. Without it only local programs can read metrics, and no proxy.',
    example: 'the output of: openssl rand -hex 32',
  },
  THALAMUS_SEARCH_MEMORY_MB: {
    schema: z.coerce.number().int().min(16).default(512),
    about: 'Memory for search indexes, about 1.7 MB per 1,000 memories. The least recently used are dropped first.',
    example: '512',
  },
  THALAMUS_ATTACHMENTS_MB: {
    schema: z.coerce.number().int().min(0).max(100_000_000).default(10_000),
    about:
      'Database space for files from mails and Drive, per workspace; equal files count once. Files beyond it are not stored. 0 stores none.',
    example: '10000',
  },
  THALAMUS_DOCUMENTS_MB: {
    schema: z.coerce.number().int().min(0).max(100_000_000).default(10_000),
    about: 'Space for the originals of documents, per workspace; equal files count once.',
    example: '10000',
  },
  THALAMUS_WEBHOOK_MB: {
    schema: z.coerce.number().min(0.001).max(25).default(5),
    about: 'Largest body of a webhook request.',
    example: '25',
  },
  THALAMUS_WEBHOOK_DAYS: {
    schema: z.coerce.number().min(1).max(3_650).default(30),
    about: 'How many days bodies and headers of webhook events are kept; the events themselves stay.',
    example: '90',
  },
  THALAMUS_BLOBS_S3_URL: {
    schema: httpUrl.optional(),
    about:
      'An S3-compatible bucket for the originals of documents. Without it they are files in the data folder. Servers that share a database need a bucket.',
    example: 'https://s3.eu-central-1.amazonaws.com/thalamus-files',
  },
  THALAMUS_BLOBS_S3_REGION: {
    schema: z.string().min(1).max(100).default('us-east-1'),
    about: 'The region of the bucket.',
    example: 'eu-central-1',
  },
  THALAMUS_BLOBS_S3_KEY_ID: {
    schema: z.string().min(1).max(300).optional(),
    about: 'Access key id for the bucket: get, put and delete objects.',
    example: 'AKIA…',
  },
  THALAMUS_BLOBS_S3_SECRET: {
    schema: z.string().min(1).max(300).optional(),
    about: 'The secret of that access key.',
    example: 'the secret access key',
  },
  THALAMUS_LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
    about: 'Minimum log level.',
    example: 'info',
  },
  THALAMUS_SEND_TIMEOUT_SECONDS: {
    schema: z.coerce.number().min(0.1).max(300).default(30),
    about: 'Timeout for each step of sending a draft, plus the same time for every 5 MB of files.',
    example: '30',
  },
  THALAMUS_SETTLE_AFTER_SECONDS: {
    schema: z.coerce.number().min(0.1).max(3600).default(120),
    about: "How long after that timeout the provider's answer «not there» is trusted.",
    example: '120',
  },
  THALAMUS_OWNER_EMAIL: {
    schema: z.email().default('owner@localhost'),
    about: 'Mail address of the owner, created at the first start.',
    example: 'ada@example.com',
  },
  THALAMUS_SIGN_UP: {
    schema: z
      .string()
      .regex(/^(closed|open|[\w.-]+\.[a-z]{2,}([\s,]+[\w.-]+\.[a-z]{2,})*)$/i, 'must be closed, open or mail domains')
      .default('closed')
      .transform((text): 'closed' | 'open' | string[] => {
        const word = text.toLowerCase();
        return word === 'closed' || word === 'open' ? word : word.split(/[\s,]+/);
      }),
    about:
      'Who may create an account with a workspace of their own: `closed` (nobody; people join by invitation), a list of mail domains, or `open`.',
    example: 'example.com, example.org',
  },
  THALAMUS_OAUTH_SCHEMES: {
    schema: z
      .string()
      .regex(/^[a-z][a-z0-9+.-]*([\s,]+[a-z][a-z0-9+.-]*)*$/, 'must be schemes in lower-case letters, such as goose')
      .transform((text) => text.split(/[\s,]+/))
      .optional(),
    about:
      'More URL schemes for programs that connect by OAuth, in addition to those of known editors and reverse domains such as `com.example.app`.',
    example: 'goose, raycast',
  },
  THALAMUS_OIDC_ISSUER: {
    schema: httpUrl.optional(),
    about: 'An OpenID Connect issuer for signing in, such as Keycloak or Okta. It may be private.',
    example: 'https://id.example.com/realms/company',
  },
  THALAMUS_OIDC_CLIENT_ID: {
    schema: z.string().min(1).optional(),
    about: "This server's client id there. The redirect address is the public URL with `/api/oauth/callback`.",
    example: 'thalamus',
  },
  THALAMUS_OIDC_CLIENT_SECRET: {
    schema: z.string().min(1).optional(),
    about: 'Secret of that client; without it the client is public, with PKCE.',
    example: 'a secret',
  },
  THALAMUS_OIDC_LABEL: {
    schema: z.string().min(1).max(60).optional(),
    about: "The issuer's name on the sign-in page. Default: its host.",
    example: 'Company account',
  },
  THALAMUS_MAIL_URL: {
    schema: z
      .string()
      .regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://')
      .optional(),
    about:
      "SMTP server for the server's own mail, such as sign-in links. For Resend: `smtps://resend:API_KEY@smtp.resend.com`.",
    example: 'smtps://user:password@mail.example.com',
  },
  THALAMUS_MAIL_FROM: {
    schema: z.string().min(3).default('Thalamus <thalamus@localhost>'),
    about: 'Sender of that mail.',
    example: 'Thalamus <thalamus@example.com>',
  },
  THALAMUS_MAIL_GATHER_SECONDS: {
    schema: z.coerce.number().min(0.1).max(600).default(20),
    about: 'Drafts within this many seconds of each other are announced in one mail.',
    example: '20',
  },
  THALAMUS_LLM_PROVIDER: {
    schema: z.enum(['anthropic', 'openai', 'groq', 'openai-compatible']).optional(),
    about:
      'Optional. The provider of a language model, for free-text requests. Default: derived from the base URL, else `openai-compatible`.',
    example: 'anthropic',
  },
  THALAMUS_LLM_MODEL: {
    schema: z.string().min(1).max(200).optional(),
    about:
      'The model. Default: `claude-sonnet-5-5` (anthropic), `gpt-6.1-terra` (openai), `openai/gpt-oss-120b` (groq).',
    example: 'llama3.1',
  },
  THALAMUS_LLM_API_KEY: {
    schema: z.string().min(1).optional(),
    about: 'Its API key. Optional for `openai-compatible`; for `groq` it may be in `GROQ_API_KEY`.',
    example: 'sk-…',
  },
  THALAMUS_LLM_BASE_URL: {
    schema: httpUrl.optional(),
    about: "Address of an OpenAI-compatible endpoint, or a replacement for the provider's own.",
    example: 'http://127.0.0.1:11434/v1',
  },
  THALAMUS_LLM_FAST_MODEL: {
    schema: z.string().min(1).max(200).optional(),
    about:
      'Model for short turns: from Groq if `GROQ_API_KEY` is set, else from the provider above. Default with that key: `openai/gpt-oss-20b`.',
    example: 'claude-haiku-5-5',
  },
  GROQ_API_KEY: {
    schema: z.string().min(1).optional(),
    about: 'With this key and a language model above, Groq answers short turns.',
    example: 'gsk_…',
  },
  THALAMUS_GROQ_BASE_URL: {
    schema: httpUrl.optional(),
    about: 'Replaces `https://api.groq.com/openai/v1` for short turns, for an emulator or a proxy.',
    example: 'http://127.0.0.1:4601/v1',
  },
  ...llmMoneySettings,
  THALAMUS_EMBEDDINGS_BASE_URL: {
    schema: httpUrl.optional(),
    about: 'An OpenAI-compatible endpoint for embeddings, local or remote. With it search also uses embeddings.',
    example: 'https://api.openai.com/v1',
  },
  THALAMUS_EMBEDDINGS_MODEL: {
    schema: z.string().min(1).max(200).optional(),
    about: 'The model; default `text-embedding-3-small`. `local:<folder>` uses an ONNX model on this machine.',
    example: 'text-embedding-3-small',
  },
  THALAMUS_EMBEDDINGS_API_KEY: {
    schema: z.string().min(1).optional(),
    about: 'Its API key, if it needs one.',
    example: 'sk-…',
  },
  THALAMUS_EMBEDDINGS_DIMENSIONS: {
    schema: z.coerce.number().int().min(2).max(8192).optional(),
    about: "Vector length to request, if the model offers several. Default: the model's own.",
    example: '512',
  },
  THALAMUS_EMBEDDINGS_MODEL_PATH: {
    schema: z.string().min(1).optional(),
    about: 'Folder of an ONNX model on this machine; the same as `THALAMUS_EMBEDDINGS_MODEL=local:<folder>`.',
    example: '/models/all-MiniLM-L6-v2',
  },
  THALAMUS_REFRESH_LEASE_SECONDS: {
    schema: z.coerce.number().min(1).max(600).default(60),
    about:
      "How long a server process may take to refresh an account's access token before another process tries. A request may take a third of that time.",
    example: '60',
  },
  THALAMUS_TELEGRAM_POLL_SECONDS: {
    schema: z.coerce.number().min(0.05).max(60).default(1),
    about: 'How often a server process looks for Telegram bots without a listener and for messages to send.',
    example: '1',
  },
} as const satisfies Record<string, Setting>;

export type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['schema']> };
