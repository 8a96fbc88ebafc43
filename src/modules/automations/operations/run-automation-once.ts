import { setTimeout as sleep } from 'node:timers/promises';
import type { AfterCommitContext } from '#kernel/context';
import { AppError, createNotFoundError } from '#kernel/errors';
import { createExampleId } from '#kernel/examples';
import { defineOperation } from '#kernel/operation';
import { uri } from '#kernel/uri';
import { z } from 'zod';
import { checkIsOwner, checkStartsRuns } from '../check-grants.ts';
import { buildAdminUrl, runStatuses } from '../fields.ts';
import { automationId } from '../ids.ts';
import { queueRun } from '../running/queue-run.ts';
import { buildStarter } from '../running/starter-rights.ts';
import { findAutomation } from '../store/automations.ts';
import { findRun, terminal } from '../store/runs.ts';
import type { RunRow } from '../store/tables.ts';

const longest = 8_192;
const lookMs = 100;
const startSeconds = 10;

export const onceOutput = z.object({
  run_id: z.uuid(),
  status: z.enum(runStatuses),
  terminal: z.boolean(),
  timed_out: z.boolean().describe('It had not ended when this call stopped waiting; it continues.'),
  timeout_reason: z.string().nullable(),
  next_step: z.string(),
  exit_code: z.number().nullable(),
  duration_ms: z.number().nullable(),
  cost_usd: z.number(),
  stdout: z.string(),
  stderr: z.string(),
  error: z.string().nullable(),
  admin_url: uri(),
});

export function runAutomationOnce({ publicUrl }: { publicUrl: string }) {
  return defineOperation({
    name: 'run_automation_once',
    summary:
      'Run an automation now, even if it is paused, and wait for its end. By default nothing leaves the server (dry_run).',
    toolset: 'automations',
    effect: 'write',
    access: { scope: 'automations:write', isForPeople: true },
    rest: [{ method: 'POST', path: '/v1/automations/{automation_id}/run' }],
    input: z.strictObject({
      automation_id: automationId,
      dry_run: z.boolean().default(true).describe('Writes outside are shown and not drafted.'),
      verify_mode: z
        .boolean()
        .default(false)
        .describe('Requests that would leave the server are refused; board writes stay.'),
      wait_seconds: z.number().int().min(10).max(360).optional(),
      payload: z.unknown().optional().describe('The value of args.trigger.payload in the code.'),
    }),
    output: onceOutput,
    errors: ['not_found', 'conflict', 'forbidden', 'unavailable', 'rate_limited'],
    examples: [{ title: 'Try it', input: { automation_id: createExampleId('automation') } }],
    async run(ctx, { automation_id, dry_run, verify_mode, payload }) {
      checkStartsRuns(ctx);
      const automation = await findAutomation(ctx.db, automation_id);
      if (!automation) throw createNotFoundError('automation');
      checkIsOwner(ctx, automation);
      if (automation.state === 'killed')
        throw new AppError('conflict', 'This automation was deleted. Save it as a new one.');
      const mode = verify_mode ? ('verify' as const) : dry_run ? ('dry_run' as const) : ('live' as const);
      const start = { kind: 'manual' as const, slot: `manual:${ctx.newId()}`, due: ctx.now, payload: payload ?? null };
      const runId = await queueRun({ now: () => ctx.now, newId: ctx.newId }, ctx.db, automation, start, {
        mode,
        starter: buildStarter(ctx),
      });
      if (!runId) throw new Error('a new slot is always free');
      return { runId, wallSeconds: automation.max_wall_seconds };
    },
    afterCommit: (ctx, { runId, wallSeconds }, { wait_seconds }) =>
      waitForRun(ctx, runId, { seconds: wait_seconds ?? Math.min(wallSeconds + startSeconds, 360), publicUrl }),
  });
}

/** Waits for the end of a run, or for the given time, and returns its state. */
export async function waitForRun(
  ctx: Pick<AfterCommitContext, 'transact'>,
  runId: string,
  { seconds, publicUrl }: { seconds: number; publicUrl: string },
) {
  const until = performance.now() + seconds * 1_000;
  for (;;) {
    const run = await ctx.transact((inner) => findRun(inner.db, runId));
    if (!run) throw createNotFoundError('run');
    if (run.error?.name === 'SandboxUnavailable') throw new AppError('unavailable', run.error.message);
    const isOver = terminal.includes(run.status);
    if (isOver || performance.now() >= until) return presentOnce(run, isOver, seconds, publicUrl);
    await sleep(lookMs);
  }
}

function presentOnce(run: RunRow, isOver: boolean, seconds: number, publicUrl: string): z.output<typeof onceOutput> {
  const { id, status, exit_code, duration_ms, cost_micro_usd, stdout, stderr, error, automation_id } = run;
  return {
    run_id: id,
    status,
    terminal: isOver,
    timed_out: !isOver,
    timeout_reason: isOver ? null : `It is still ${status} after ${seconds} seconds, and continues.`,
    next_step: isOver ? formatNextStep(run) : 'Read it later with get_automation_run.',
    exit_code,
    duration_ms,
    cost_usd: Number(cost_micro_usd) / 1_000_000,
    stdout: shortenOutput(stdout),
    stderr: shortenOutput(stderr),
    error: error?.message ?? null,
    admin_url: buildAdminUrl(publicUrl, automation_id),
  };
}

function formatNextStep({ status, mode }: RunRow): string {
  if (status !== 'succeeded') return 'Correct the source with update_automation, and run it again.';
  if (mode === 'live') return 'Its drafts wait in the inbox. A person activates the automation on its page.';
  return 'Run it with dry_run: false to see its drafts, or ask the person to activate it on its page.';
}

/** At most 8 KB. */
function shortenOutput(text: string): string {
  return Buffer.byteLength(text) <= longest
    ? text
    : `${Buffer.from(text)
        .subarray(0, longest - 20)
        .toString('utf8')}\n… cut`;
}
