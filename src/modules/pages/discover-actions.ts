// Possible actions among pages: found by their words, and created on demand.
import { createHash } from 'node:crypto';
import type { Context } from '#kernel/context';
import { findBrains } from '#modules/brains';
import type { AnalyseText } from '#platform/search';
import type { Json } from '#kernel/page';
import type { Page } from './store/read.ts';

/** An action of a linked account, for its page. */
export type DiscoveredAction = {
  slug: string;
  title: string;
  body: string;
  fields: Record<string, unknown>;
  /** Since when its account is linked. */
  since: Date;
};

/** Finds what the caller can draft now. */
export type DiscoverActions = (ctx: Context) => Promise<DiscoveredAction[]>;

export const actionType = 'integration_action';

type ActionHit = { page: Page; score: number | null; terms: string[] };

/** All of them, or those with words of the text, the best first. */
export async function searchDiscoveredActions(
  ctx: Context,
  discover: DiscoverActions,
  q: string | undefined,
  analyse: AnalyseText,
): Promise<ActionHit[]> {
  const brainName = await readHomeBrainName(ctx);
  const pages = (await discover(ctx)).map((action) => toActionPage(ctx, action, brainName));
  if (q === undefined) return pages.map((page) => ({ page, score: null, terms: [] }));
  const wanted = new Set(listNameStems(analyse, q));
  const ranked = pages.map((page) => {
    const title = new Set(listNameStems(analyse, page.title));
    const body = new Set(
      listNameStems(analyse, `${page.title} ${String(page.frontmatter['action_name'])} ${page.body}`),
    );
    const terms = [...wanted].filter((stem) => body.has(stem));
    const score = terms.reduce((sum, stem) => sum + (title.has(stem) ? 2 : 1), 0) / (2 * Math.max(wanted.size, 1));
    return { page, score, terms };
  });
  return ranked.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
}

/** The one with this slug. */
export async function findDiscoveredAction(
  ctx: Context,
  discover: DiscoverActions,
  slug: string,
): Promise<Page | undefined> {
  if (!slug.startsWith(`${actionType}-`)) return undefined;
  const action = (await discover(ctx)).find((each) => each.slug === slug);
  return action && toActionPage(ctx, action, await readHomeBrainName(ctx));
}

async function readHomeBrainName({ db, caller }: Context): Promise<string> {
  const [brain] = await findBrains(db, [caller.homeBrainId]);
  return brain?.name ?? '';
}

function listNameStems(analyse: AnalyseText, text: string): string[] {
  return analyse(text.replaceAll('_', ' ')).flatMap(({ stems }) => [...stems]);
}

function toActionPage(ctx: Context, { slug, title, body, fields, since }: DiscoveredAction, brainName: string): Page {
  return {
    id: computePageId(slug),
    workspace_id: ctx.caller.workspaceId,
    brain_id: ctx.caller.homeBrainId,
    brain_name: brainName,
    slug,
    type: actionType,
    title,
    body,
    frontmatter: fields as Record<string, Json>, // JSON by construction
    author: null,
    source: null,
    source_ref: null,
    version: 1,
    has_attached_text: false,
    content_hash: '',
    deleted_at: null,
    days: null,
    ends_at: null,
    occurred_at: since,
    created_at: since,
    updated_at: since,
  };
}

/** The same for the same slug (RFC 9562, version 8: custom). */
function computePageId(slug: string): string {
  const hex = createHash('sha256').update(slug).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
