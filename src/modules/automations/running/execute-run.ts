// One run, from its claim to its record.
import { createHash } from 'node:crypto';
import type { Db } from '#kernel/database';
import { AppError } from '#kernel/errors';
import { withSpan, noteOutcome } from '#platform/telemetry';
import { intersectGrants } from '#kernel/grants';
import { endRunSecrets, mapEffectiveHandles, withSecretHandles } from '#modules/variables';
import { toStorableJson, toStorableText } from '#platform/database';
import { SandboxUnavailable, type Result } from '#platform/sandbox';
import { listAcceptedReads } from '../changes/accepted-reads.ts';
import { listRunBindings, checkBindings } from '../changes/bind-variables.ts';
import { buildRunChanged } from '../events.ts';
import { fillSettings } from '../fill-settings.ts';
import { findAutomation, findVersion } from '../store/automations.ts';
import { finishRun, insertRun, requeue, type RunEnd } from '../store/runs.ts';
import type { AutomationRow, RunRow } from '../store/tables.ts';
import { createRecorder } from '../fixtures/recorder.ts';
import { readRunCaller, freezeGrants, listRunHosts, getRunSlot } from './run-caller.ts';
import { findReachedCap, isModelCap } from '../reached-cap.ts';
import { createRunLease, type RunLease } from './run-lease.ts';
import { createRunHost } from './run-host.ts';
import type { RunDeps } from './run-deps.ts';

const backoffMs = 30_000;

/** Executes a run that this process has claimed. `stopping` is aborted when the process ends. */
export async function executeRun(running: RunDeps, run: RunRow, stopping: AbortSignal): Promise<void> {
  const runLease = createRunLease(running, run, stopping);
  const end = await traceRun(run, () => runToEnd(running, run, runLease).finally(runLease.stop));
  running.count({ trigger: run.trigger_kind, outcome: end.kill_reason ?? end.status });
  await running.transactions.run(run.workspace_id, 'write', async (db) => {
    await endRunSecrets(db, run.id);
    if (end.kill_reason === 'server_stopped' && !runLease.hasCalled())
      return void (await requeue(db, run, run.attempt));
    if (!(await finishRun(db, run, end))) return;
    await emitRunChanged(running, db, { ...run, status: end.status });
    if (end.status === 'succeeded') return;
    const automation = await findAutomation(db, run.automation_id);
    if (automation) await retryIfConfigured(running, db, automation, { ...run, ...end });
  });
}

/** Code that fails is an error. A run that was stopped, or that reached a cap, is not. */
function traceRun(run: RunRow, execute: () => Promise<RunEnd>): Promise<RunEnd> {
  const attributes = {
    'thalamus.automation.id': run.automation_id,
    'thalamus.run.id': run.id,
    'thalamus.run.trigger': run.trigger_kind,
    'thalamus.run.attempt': run.attempt,
  };
  return withSpan({ name: 'run automation', attributes }, async (span) => {
    const end = await execute();
    if (end.status !== 'succeeded')
      noteOutcome(span, end.kill_reason ?? end.error?.name ?? end.status, isByPurpose(end.kill_reason));
    return end;
  });
}

/** Emits the status of a run. */
export async function emitRunChanged({ emitEvent, newId, now }: RunDeps, db: Db, run: RunRow): Promise<void> {
  await emitEvent(db, buildRunChanged(run), { id: newId(), workspaceId: run.workspace_id, at: now() });
}

/**
 * Queues a retry of a failed run, if its automation has retries. Runs that a person started or stopped are not retried.
 */
export async function retryIfConfigured(
  { newId, now }: RunDeps,
  db: Db,
  automation: AutomationRow,
  run: RunRow,
): Promise<void> {
  const isOver = run.status === 'succeeded' || run.trigger_kind === 'manual' || run.attempt > automation.max_retries;
  if (isOver || automation.state !== 'active' || isByPurpose(run.kill_reason)) return;
  const slot = `${getRunSlot(run)}#${run.attempt + 1}`;
  const dueAt = new Date(now().getTime() + backoffMs * 2 ** (run.attempt - 1));
  const {
    workspace_id,
    automation_id,
    version_id,
    person_id,
    trigger_kind,
    payload,
    mode,
    grants,
    starter,
    chain,
    is_serial,
  } = run;
  const same = {
    workspace_id,
    automation_id,
    version_id,
    person_id,
    trigger_kind,
    payload,
    mode,
    grants,
    starter,
    chain,
    is_serial,
  };
  await insertRun(db, { ...same, id: newId(), slot, attempt: run.attempt + 1, due_at: dueAt, created_at: now() });
}

function isByPurpose(reason: string | null): boolean {
  return reason === 'stopped' || isModelCap(reason);
}

async function runToEnd(running: RunDeps, run: RunRow, runLease: RunLease): Promise<RunEnd> {
  try {
    const { automation, source, language, caller, variables } = await prepare(running, run);
    const { mode, version_id } = run;
    const domain = createHash('sha256')
      .update(JSON.stringify([automation.id, version_id, caller.grants, mode, caller.homeBrainId, run.starter]))
      .digest('hex');
    const { host, calls } = withRecorder(withCaps(createRunHost(running, caller, runLease.begin), runLease), mode);
    const result = await running.sandbox.run({
      turn: { kind: 'run', of: run.person_id },
      source,
      language,
      args: buildArgs(run),
      variables,
      host,
      limits: { wallMs: automation.max_wall_seconds * 1_000, cpuMs: automation.max_wall_seconds * 1_000 },
      domain,
      signal: runLease.signal,
      onOutput: runLease.output,
    });
    return { ...buildEnd(result, runLease.why()), recording: toStorableJson(calls()) };
  } catch (thrown) {
    if (!(thrown instanceof SandboxUnavailable || thrown instanceof AppError)) throw thrown;
    const name = thrown instanceof SandboxUnavailable ? 'SandboxUnavailable' : thrown.name;
    const error = { name, message: thrown.message };
    const none = { stdout: '', stderr: '', result: null, kill_reason: null, exit_code: null, duration_ms: 0 };
    return { status: 'failed', error, ...none };
  }
}

/** A dry run can become a fixture, so its calls are recorded. */
function withRecorder(host: ReturnType<typeof createRunHost>, mode: RunRow['mode']) {
  return mode === 'live' ? { host, calls: () => null } : createRecorder(host);
}

/** A question to a model may reach a cap. It is answered, like all other current questions, before the run ends. */
function withCaps(host: ReturnType<typeof createRunHost>, runLease: RunLease): typeof host {
  const { operation, ...rest } = host;
  if (!operation) return host;
  return {
    ...rest,
    async operation(params, signal) {
      const asksModel = (params as { name?: unknown } | null)?.name === 'automation_llm_complete';
      try {
        if (!asksModel) return await operation(params, signal);
        const answer = await runLease.ask(operation(params, signal));
        await runLease.look();
        return answer;
      } catch (thrown) {
        const reached = findReachedCap(thrown);
        if (reached) await runLease.stopByCap(reached);
        throw thrown;
      }
    },
  };
}

function prepare({ transactions, calls, now }: RunDeps, run: RunRow) {
  return transactions.run(run.workspace_id, 'read', async (db) => {
    const automation = await findAutomation(db, run.automation_id);
    const version = await findVersion(db, run.automation_id, run.version_id);
    if (!automation || !version || automation.state === 'killed')
      throw new AppError('conflict', `This automation was deleted before ${now().toISOString()}.`);
    if (automation.state === 'paused' && !run.starter)
      throw new AppError('conflict', 'This automation was paused before the run began. Replay the run if you need it.');
    // The run may have waited long, such as for a retry: rights that the automation lost meanwhile are lost for the
    // run, too.
    const hosts = await listRunHosts(db, automation, run.starter);
    const present = freezeGrants(automation, hosts, listAcceptedReads(automation, run.version_id));
    const grants = intersectGrants(run.grants, present);
    const caller = await readRunCaller(db, automation, { ...run, grants });
    const ctx = calls.systemContext(db, caller, run.id);
    const bound = await listRunBindings(db, automation, run);
    if (bound) await checkBindings(db, bound, version.source);
    const named = async () =>
      bound ? Object.fromEntries(bound.map(({ name, handle }) => [name, handle])) : mapEffectiveHandles(ctx);
    const variables = caller.scopes.has('variables:read') ? await named() : {};
    const filled = fillSettings(version.source, automation.settings);
    const source = await withSecretHandles(db, run.person_id, filled, bound);
    return { automation, caller, variables, source, language: version.language };
  });
}

/** The value of `args`: the fields of the trigger, and how the run was started. */
function buildArgs({ id, mode, payload, trigger_kind: kind }: RunRow): Record<string, unknown> {
  const fields = typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? payload : {};
  return { ...fields, trigger: { kind, payload }, run_id: id, mode };
}

function buildEnd(
  { status, reason, value, error, exitCode, stdout, stderr, durationMs }: Result,
  why: ReturnType<RunLease['why']>,
): RunEnd {
  const isStopped = reason === 'aborted';
  const kill_reason = isStopped ? why && why.reason : reason;
  const message = why && isStopped ? why.message : error?.message;
  return {
    status,
    stdout: toStorableText(stdout),
    stderr: toStorableText(stderr),
    result: value === undefined ? null : value,
    error: error && { ...error, message: toStorableText(message ?? '') },
    kill_reason,
    exit_code: exitCode,
    duration_ms: durationMs,
  };
}
