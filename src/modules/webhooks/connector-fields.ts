// The fields of webhook connectors in inputs and answers.
import { brainId } from '#modules/brains';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { providerNames } from './signatures/providers.ts';
import { schemes } from './signatures/schemes.ts';
import { runtimes } from './store/tables.ts';

export const connectorName = z.string().trim().min(1).max(120);
const signatureScheme = z
  .enum(schemes)
  .describe('How requests are signed. none: the address is the secret. provider: like the sender in `provider`.');
const provider = z.enum(providerNames).describe('A sender with known signatures.');
const signatureSettings = z
  .strictObject({
    header: z
      .string()
      .max(100)
      .regex(/^[\w-]+$/, 'a header name')
      .optional()
      .describe('The header with the signature.'),
    encoding: z.enum(['hex', 'base64']).optional().describe('Default: hex.'),
    key: z
      .enum(['hex', 'base64'])
      .optional()
      .describe('The encoding of the secret, if the text is not itself the key.'),
    prefix: z.string().max(40).optional().describe('The text before the signature. Default: sha256= or nothing.'),
  })
  .describe('For signature_scheme hmac_sha256 of any other sender.');
const secret = z
  .string()
  .min(1)
  .max(1_000)
  .describe('The secret that the sender shows or accepts, or the handle (sec_…) of a variable with the secret.');
const secretVariable = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_]\w*$/, 'a name of letters, digits and _')
  .describe('A variable with the secret. Until it exists the connector waits for a person to set it with a link.');
const translatorCode = z
  .string()
  .min(1)
  .max(100_000)
  .describe(
    'A function translate of {body, raw_body, headers, query}, in Python of a dict with these, that returns {documents: [{content, …}]} or {drop: true, drop_reason}.',
  );

/** Fields that can be set at creation and later. */
export const settingFields = {
  signature_scheme: signatureScheme.optional(),
  provider: provider.optional(),
  signature_settings: signatureSettings.optional(),
  webhook_secret: secret.optional(),
  webhook_secret_variable: secretVariable.optional(),
  translator_runtime: z.enum(runtimes).optional().describe('v8: JavaScript or TypeScript. Default: v8.'),
  translator_code: translatorCode.optional(),
  brain_id: brainId.optional().describe('The default brain.'),
  allowed_brain_ids: z
    .array(brainId)
    .max(100)
    .optional()
    .describe('Further brains that target_brain_id of a document may name.'),
};

const settings = z.strictObject(settingFields);
export type Settings = z.output<typeof settings>;

export const settingsNotice = z
  .string()
  .optional()
  .describe('What was removed from webhook_secret, and names in double braces of the translator.');

/** A connector as operations return it. */
export const connectorOutput = z.object({
  webhook_connector_id: z.uuid(),
  name: z.string(),
  status: z.enum(['draft', 'active', 'paused', 'deleted']),
  status_reason: z.string().nullable().describe('Why it was paused automatically.'),
  brain_id: z.uuid(),
  allowed_brain_ids: z.array(z.uuid()),
  ingest_url: uri().nullable().describe('Null for the scheme none: the address is the secret.'),
  ingest_url_note: z.string().nullable().describe('Where the owner finds an address that is the secret.'),
  signature_scheme: signatureScheme,
  provider: provider.nullable(),
  signature_settings: signatureSettings,
  has_secret: z.boolean(),
  has_unread_secret: z
    .boolean()
    .describe('A secret waits for the owner of the connector: show_webhook_secret shows it once, at the console.'),
  waits_for_variable: z.string().nullable(),
  translator_runtime: z.enum(runtimes),
  has_translator: z.boolean(),
  version: z.number().int().describe('Number of the newest version of code and settings.'),
  active_version: z.number().int().nullable().describe('The version that live events run.'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
