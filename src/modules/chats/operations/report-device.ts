import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { recordDevice } from '../store/devices.ts';

const name = z.string().trim().min(1).max(200);

export const reportDevice = defineOperation({
  name: 'report_device',
  summary: 'Record a device where one of your clients runs, and what it has installed. For the hooks of a client.',
  toolset: 'ingest',
  effect: 'write',
  access: { scope: 'brains:read', isForPeople: true },
  rest: [{ method: 'POST', path: '/inbox/claude/devices' }],
  ignoresUnknownFields: true,
  input: z.strictObject({
    hostname: name,
    sections: z
      .array(z.strictObject({ name, version: z.number().int().min(0) }))
      .max(100)
      .default([]),
    client: name.default('claude'),
    client_type: name.default('cli'),
    plugin_version: name.optional(),
    auto_update: z.boolean().optional(),
  }),
  output: z.object({
    device_id: z.uuid(),
    reported: z.number().int().describe('How many sections were sent.'),
    drift: z
      .array(z.object({ section: z.string(), installed: z.number().int(), canonical: z.number().int() }))
      .describe('Always empty: this server publishes no sections of its own.'),
  }),
  errors: [],
  examples: [{ title: 'A laptop', input: { hostname: 'laptop', client: 'claude', client_type: 'cli' } }],
  async run(ctx, { plugin_version = null, auto_update = null, ...device }) {
    const { workspaceId, personId } = ctx.caller;
    const device_id = await recordDevice(ctx.db, {
      ...device,
      id: ctx.newId(),
      workspace_id: workspaceId,
      person_id: personId,
      plugin_version,
      auto_update,
      first_seen_at: ctx.now,
      last_seen_at: ctx.now,
    });
    return { device_id, reported: device.sections.length, drift: [] };
  },
});
