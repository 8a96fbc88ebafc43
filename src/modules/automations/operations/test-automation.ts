import type { Context } from '#kernel/context';
import { listReads } from '#kernel/declared-reads';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { mapEffectiveHandles, withSecretHandles } from '#modules/variables';
import { SandboxUnavailable, type Sandbox } from '#platform/sandbox';
import { z } from 'zod';
import { checkIsOwner, checkStartsRuns, type FindOperation } from '../check-grants.ts';
import { effectOutput } from '../fields.ts';
import { readActiveContent, hashOfContent } from '../fixtures/fresh-pass.ts';
import { replayFixture, type FixtureResult, type TestedSource } from '../fixtures/replay.ts';
import { automationId } from '../ids.ts';
import { freezeGrants } from '../running/run-caller.ts';
import { findAutomation, listAcknowledgedHosts } from '../store/automations.ts';
import { findWaitingChange } from '../store/changes.ts';
import { insertPass } from '../store/fixtures.ts';
import type { FixtureRow } from '../store/tables.ts';

type PreparedTest = { hash: string; fixtures: readonly FixtureRow[]; tried: TestedSource };

const atOnce = 2;

const output = z.object({
  automation_id: z.uuid(),
  passed: z.boolean(),
  fixtures: z.array(
    z.object({
      name: z.string(),
      has_passed: z.boolean(),
      error: z.string().nullable(),
      missing: z.array(effectOutput).describe('Expected, but not done.'),
      unexpected: z.array(effectOutput).describe('Done, but not expected.'),
    }),
  ),
});

export function testAutomation({ sandbox, find }: { sandbox: Sandbox; find: FindOperation }) {
  return defineOperation({
    name: 'test_automation',
    summary:
      'Run the fixtures of an automation: its code gets the recorded answers, nothing is read or written, and its effects are compared with the expected ones.',
    toolset: 'automations',
    effect: 'write',
    access: { scope: 'automations:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/automations/{automation_id}/test' }],
    input: z.strictObject({
      automation_id: automationId,
      waiting_change: z
        .boolean()
        .default(false)
        .describe('Test the automation as it would be with the pending change.'),
    }),
    output,
    errors: ['not_found', 'conflict', 'forbidden', 'unavailable'],
    examples: [{ title: 'Does it still do the same?', input: { automation_id: createExampleId('automation') } }],
    async run(ctx, { automation_id, waiting_change }): Promise<PreparedTest> {
      checkStartsRuns(ctx);
      return prepare(ctx, automation_id, waiting_change);
    },
    async afterCommit(ctx, { hash, fixtures, tried }, { automation_id }) {
      const results: FixtureResult[] = [];
      for (let from = 0; from < fixtures.length; from += atOnce)
        results.push(
          ...(await Promise.all(
            fixtures.slice(from, from + atOnce).map((each) => replayFixture({ sandbox, find }, tried, each)),
          ).catch(throwAsUnavailable)),
        );
      const passed = results.every(({ has_passed }) => has_passed);
      const pass = { automation_id, workspace_id: ctx.caller.workspaceId, hash, passed_at: ctx.now };
      if (passed && results.length) await ctx.transact((inner) => insertPass(inner.db, pass));
      return { automation_id, passed, fixtures: results };
    },
  });
}

/** What to test: the present automation, or the automation with its pending change. */
async function prepare(ctx: Context, automationId: string, withChange: boolean): Promise<PreparedTest> {
  const row = await findAutomation(ctx.db, automationId);
  if (!row) throw createNotFoundError('automation');
  checkIsOwner(ctx, row);
  const change = withChange ? await findWaitingChange(ctx.db, automationId) : undefined;
  if (withChange && !change) throw new AppError('conflict', 'This automation has no pending change.');
  const hosts = change?.fields.hosts ?? (await listAcknowledgedHosts(ctx.db, automationId));
  const automation = { ...row, ...change?.fields, active_version_id: change?.version_id ?? row.active_version_id };
  const content = await readActiveContent(ctx.db, automation, hosts);
  const tried = {
    source: await withSecretHandles(ctx.db, row.person_id, content.source, null),
    language: content.language,
    variables: ctx.caller.scopes.has('variables:read') ? await mapEffectiveHandles(ctx) : {},
    // As it will be once a person accepted its endpoints. Nothing leaves here.
    grants: freezeGrants(automation, hosts, automation.tool_grants.flatMap(listReads)),
    maxWallSeconds: automation.max_wall_seconds,
    personId: ctx.caller.personId,
  };
  return { hash: hashOfContent(content), fixtures: content.fixtures, tried };
}

function throwAsUnavailable(error: unknown): never {
  if (error instanceof SandboxUnavailable) throw new AppError('unavailable', error.message, {}, { cause: error });
  throw error;
}
