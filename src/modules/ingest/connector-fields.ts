import { AppError } from '#kernel/errors';
import { z } from 'zod';

export const connectorKinds = ['personal', 'shared', 'mcp_server'] as const;

export const connectorName = z.string().trim().min(1).max(120);
export const connectorSource = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^\s:]+$/, 'one word without a colon, such as make or gmail')
  .describe('The platform that sends, such as make, zapier, n8n, gmail or slack. It begins every source label.');

/** The settings of a connector. Absent fields stay as they are. */
const settings = z.strictObject({
  allowed_brain_ids: z
    .array(z.uuid())
    .min(1)
    .max(100)
    .optional()
    .describe('The only brains it writes to. Default: its brain and those below.'),
  default_brain_id: z
    .uuid()
    .optional()
    .describe('Receives items that no rule places and whose signals are unclear. Default: its brain.'),
  channel_mappings: z
    .record(z.string().min(1).max(300), z.uuid().nullable())
    .refine((mappings) => Object.keys(mappings).length <= 200, 'at most 200 channels')
    .optional()
    .describe('Channel to brain; null drops items of that channel.'),
  server_url: z
    .url({ protocol: /^https$/ })
    .max(2_000)
    .optional()
    .describe('For a connector of the type mcp_server.'),
});
export type ConnectorSettings = z.output<typeof settings>;

const text = z
  .string()
  .max(40_000)
  .transform((json, { addIssue }): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      addIssue({ code: 'custom', message: 'must be JSON, such as {"channel_mappings": {"#sales": null}}' });
      return z.NEVER;
    }
  });

/** Settings as an object, or as JSON text. */
export const connectorConfig = z.union([settings, text.pipe(settings)]);

export const routeSignals = ['sender', 'channel', 'keyword', 'domain'] as const;
export type RouteSignal = (typeof routeSignals)[number];

/** A connector as operations return it. */
export const connectorOutput = z.object({
  connector_id: z.uuid(),
  name: z.string(),
  source: z.string(),
  connector_type: z.enum(connectorKinds),
  brain_id: z.uuid(),
  allowed_brain_ids: z.array(z.uuid()),
  default_brain_id: z.uuid(),
  channel_mappings: z.record(z.string(), z.uuid().nullable()),
  server_url: z.string().nullable(),
  token_prefix: z.string().nullable().describe('How its token begins; null: it has none.'),
  last_used_at: z.iso.datetime().nullable().describe('When its token was last used.'),
  created_at: z.iso.datetime(),
});

/** A route of a connector as operations return it. */
export const routeOutput = z.object({
  route_id: z.uuid(),
  signal_type: z.enum(routeSignals),
  signal_value: z.string(),
  target_brain_id: z.uuid(),
});

/** Thrown for a brain that the connector's own list does not allow. */
export function createBrainNotAllowedError(field: string): AppError {
  return new AppError(
    'invalid_input',
    `${field}: this brain is not among allowed_brain_ids of the connector. Allow it there first.`,
  );
}
