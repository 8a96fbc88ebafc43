// Reads from a source on demand: one part runs in the transaction, the other after its commit.
import type { AfterCommitContext, Context } from '#kernel/context';
import { checkRead, type ReadRuling } from '#modules/policy';
import { recordSync } from '#modules/connections';
import type { Jobs } from '#platform/jobs';
import { ingest } from './ingest.ts';
import { chooseAccount, noteUnlinked } from './linked-accounts.ts';
import { planReading } from './plan.ts';
import type { Link } from '#providers/http';
import { sources } from '#providers';
import type { OfAccount, ReaderOf } from './reader.ts';
import type { Source } from '#providers/reading';

/** Sources that can be read on demand. */
export const readable = sources.filter((source) => source.supports.fetch);

export type FetchDeps = {
  createReader: ReaderOf;
  publicUrl: string;
  /** How many bytes of files a workspace may store. */
  attachmentRoom: number;
  jobs: Jobs;
};

/** The request, in the source's own fields or in free text, with its account and target brain. */
export type FetchRequest = {
  source: string;
  request?: string | undefined;
  input?: Record<string, unknown> | undefined;
  account?: string | undefined;
  brain_id?: string | undefined;
};

/** The result of the transaction. */
export type PreparedFetch = { source: Source; link: Link; of: OfAccount; brain: string; ruling: ReadRuling };

export async function prepareFetch(ctx: Context, asked: FetchRequest, publicUrl: string): Promise<PreparedFetch> {
  const source = getReadableSource(asked.source);
  planReading(source, asked, { now: ctx.now, timeZone: 'UTC', face: ctx.face }); // an unreadable request is refused before any request outside
  const row = await chooseAccount(ctx, source, { account: asked.account, publicUrl });
  const ruling = await checkRead(ctx, source.name, row.account);
  const link = { workspaceId: row.workspace_id, connectionId: row.id, provider: row.provider };
  return { source, link, of: row, brain: asked.brain_id ?? (await ctx.brains()).homeBrainId, ruling };
}

/** No account is linked for the source: nothing is read, and the note says who can link one. */
export type UnlinkedSource = { note: string; brain: string };

/**
 * Like `prepareFetch`, but returns a note instead of throwing when no account is linked, so that the other reads of a
 * plan continue.
 */
export async function prepareFetchIfLinked(
  ctx: Context,
  asked: FetchRequest,
  publicUrl: string,
): Promise<PreparedFetch | UnlinkedSource> {
  const source = getReadableSource(asked.source);
  planReading(source, asked, { now: ctx.now, timeZone: 'UTC', face: ctx.face });
  const note = await noteUnlinked(ctx, source, publicUrl);
  if (note === null) return prepareFetch(ctx, asked, publicUrl);
  return { note: `Nothing was read: ${note}`, brain: asked.brain_id ?? (await ctx.brains()).homeBrainId };
}

/** The answer of a fetch that read nothing. */
export function answerUnlinked(
  ctx: AfterCommitContext,
  { note, brain }: UnlinkedSource,
  { source, request }: FetchRequest,
) {
  const nothing = { ingested_count: 0, page_slugs: [], translation_log: [] };
  return { source, request: request ?? null, brain_id: brain, ...nothing, ...buildVerifyModeField(ctx), note };
}

export async function fetchNow(
  ctx: AfterCommitContext,
  { createReader, attachmentRoom, jobs }: FetchDeps,
  { source, link, of, brain, ruling }: PreparedFetch,
  asked: FetchRequest,
) {
  const reader = createReader(link, of, ruling);
  const moment = { now: ctx.now, timeZone: (await source.readTimeZone?.(reader)) ?? 'UTC' };
  const plan = planReading(source, asked, { ...moment, face: ctx.face });
  const into = { brainId: brain, room: attachmentRoom, jobs, source, reader };
  const { count, slugs, errors, stopped } = await ingest(ctx, into, source.read(reader, plan.input, moment));
  if (!stopped) await ctx.transact(({ db, now }) => recordSync(db, link.connectionId, now));
  return {
    source: source.name,
    request: asked.request ?? null,
    brain_id: brain,
    ingested_count: count,
    page_slugs: slugs,
    translation_log: plan.log,
    ...(errors.length && { errors }),
    ...buildVerifyModeField(ctx),
    ...(stopped && { note: `Reading stopped before the end: ${stopped} What was read until then is stored.` }),
  };
}

function buildVerifyModeField({ caller }: AfterCommitContext) {
  return caller.run?.mode === 'verify' ? { verify_mode: true as const } : {};
}

function getReadableSource(name: string): Source {
  const source = readable.find((each) => each.name === name);
  if (!source) throw new Error(`the input schema allows the unknown source ${name}`);
  return source;
}
