import { declaredReadSchema } from '#kernel/declared-reads';
import { createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { z } from 'zod';
import { listAcceptedReads } from '../changes/accepted-reads.ts';
import { presentSinceActivation, sinceActivationOutput } from '../changes/activation.ts';
import { changeOutput, presentChange } from '../changes/present-change.ts';
import type { FindOperation } from '../check-grants.ts';
import { automationOutput, effectOutput, language, present } from '../fields.ts';
import { findEffect } from '../fixtures/effects.ts';
import { findPassTime } from '../fixtures/fresh-pass.ts';
import { automationId } from '../ids.ts';
import { findAutomation, findVersion, listAcknowledgedHosts, listVersions } from '../store/automations.ts';
import { findWaitingChange } from '../store/changes.ts';
import { listFixtures } from '../store/fixtures.ts';
import { readCostByDay, readSpentToday } from '../store/runs.ts';
import { triggerKinds } from '../triggers.ts';

const thirtyDaysMs = 30 * 24 * 60 * 60 * 1000;

const output = automationOutput.extend({
  source: z.string(),
  language,
  version: z.number(),
  acknowledged_http_fetch_hosts: z.array(z.string()),
  accepted_reads: z
    .array(declaredReadSchema)
    .describe('Endpoints that a person accepted as read by POST, for the active version. Elsewhere a POST is drafted.'),
  versions: z.array(
    z.object({
      version_id: z.uuid(),
      version: z.number(),
      source: z.string(),
      language,
      created_by: z.string(),
      created_at: z.iso.datetime(),
    }),
  ),
  waiting_change: changeOutput
    .nullable()
    .describe('The change that waits for a person; the automation runs unchanged until then.'),
  since_activation: sinceActivationOutput
    .nullable()
    .describe('The differences from what a person last activated; null: nobody ever activated it.'),
  fixtures: z.array(
    z.object({
      name: z.string(),
      trigger_kind: z.enum(triggerKinds),
      effects: z.array(effectOutput).describe('The effects that the fixture expects.'),
      created_by: z.string(),
      created_at: z.iso.datetime(),
    }),
  ),
  fixtures_passed_at: z.iso
    .datetime()
    .nullable()
    .describe('When all fixtures passed for the present state; null: they have not.'),
  cost_today_usd: z.number(),
  cost_by_day: z.array(z.object({ day: z.string(), runs: z.number(), cost_usd: z.number() })),
});

export function getAutomation({ publicUrl, find }: { publicUrl: string; find: FindOperation }) {
  return defineOperation({
    name: 'get_automation',
    summary: 'Show an automation: its source, versions, grants, hosts, and costs.',
    toolset: 'automations',
    effect: 'read',
    access: { scope: 'automations:read', isForPeople: true },
    rest: [{ method: 'GET', path: '/v1/automations/{automation_id}' }],
    input: z.strictObject({ automation_id: automationId }),
    output,
    errors: ['not_found'],
    examples: [{ title: 'What does it do?', input: { automation_id: createExampleId('automation') } }],
    async run(ctx, { automation_id }) {
      const row = await findAutomation(ctx.db, automation_id);
      if (!row) throw createNotFoundError('automation');
      const versions = await listVersions(ctx.db, automation_id);
      const hosts = await listAcknowledgedHosts(ctx.db, automation_id);
      const change = await findWaitingChange(ctx.db, automation_id);
      const fixtures = await listFixtures(ctx.db, automation_id);
      const passed = fixtures.length ? await findPassTime(ctx.db, row, hosts) : null;
      // The active version may be older than all listed ones.
      const active = await findVersion(ctx.db, automation_id, row.active_version_id);
      return {
        ...present(row, publicUrl),
        source: active?.source ?? '',
        language: active?.language ?? ('typescript' as const),
        version: active?.version ?? 0,
        acknowledged_http_fetch_hosts: hosts,
        accepted_reads: [...listAcceptedReads(row, row.active_version_id)],
        versions: versions.map(({ id, version, source, language: written, created_by_label, created_at }) => ({
          version_id: id,
          version,
          source,
          language: written,
          created_by: created_by_label,
          created_at: created_at.toISOString(),
        })),
        waiting_change: change ? await presentChange(ctx.db, row, change) : null,
        since_activation: await presentSinceActivation(ctx.db, row, hosts),
        fixtures: fixtures.map(({ name, trigger_kind, calls, created_by_label, created_at }) => ({
          name,
          trigger_kind,
          effects: calls.flatMap((call) => findEffect(call, { find, grants: row.tool_grants }) ?? []),
          created_by: created_by_label,
          created_at: created_at.toISOString(),
        })),
        fixtures_passed_at: passed?.toISOString() ?? null,
        cost_today_usd: (await readSpentToday(ctx.db, automation_id)) / 1_000_000,
        cost_by_day: await readCostByDay(ctx.db, automation_id, new Date(ctx.now.getTime() - thirtyDaysMs)),
      };
    },
  });
}
