import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { listDeviceRows } from '../store/devices.ts';

export const listDevices = defineOperation({
  name: 'list_devices',
  summary: 'List the devices where your clients run with hooks of this server.',
  toolset: 'ingest',
  effect: 'read',
  access: { scope: 'brains:read', isForPeople: true },
  rest: [{ method: 'GET', path: '/v1/devices' }],
  input: z.strictObject({}),
  output: z.object({
    devices: z.array(
      z.object({
        device_id: z.uuid(),
        hostname: z.string(),
        client: z.string(),
        client_type: z.string(),
        plugin_version: z.string().nullable(),
        last_seen_at: z.iso.datetime(),
      }),
    ),
  }),
  errors: [],
  examples: [{ title: 'All', input: {} }],
  async run(ctx) {
    const rows = await listDeviceRows(ctx.db, ctx.caller.personId);
    return {
      devices: rows.map(({ id, hostname, client, client_type, plugin_version, last_seen_at }) => ({
        device_id: id,
        hostname,
        client,
        client_type,
        plugin_version,
        last_seen_at: last_seen_at.toISOString(),
      })),
    };
  },
});
