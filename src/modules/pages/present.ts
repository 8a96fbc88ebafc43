import type { AnalyseText } from '#platform/search';
import type { z } from 'zod';
import { extractExcerpt } from './excerpt.ts';
import { integrationAction, type attachmentFields, type pageSummary } from './page-fields.ts';
import type { listAttachments } from './store/attachments.ts';
import type { Page } from './store/read.ts';

/** A stored page for lists, with the part of its body around the terms. */
export function presentPage(
  page: Page,
  attachmentCount: number,
  terms: readonly string[],
  analyse: AnalyseText,
): z.input<typeof pageSummary> {
  return {
    id: page.id,
    slug: page.slug,
    type: page.type,
    title: page.title,
    excerpt: extractExcerpt(terms.length ? page.body : withoutHead(page.body), terms, analyse),
    author: page.author,
    origin: getPageOrigin(page),
    brain_id: page.brain_id,
    brain_name: page.brain_name,
    source: page.source,
    source_ref: page.source_ref,
    occurred_at: page.occurred_at.toISOString(),
    updated_at: page.updated_at.toISOString(),
    all_day: page.frontmatter['all_day'] === true,
    attachment_count: attachmentCount,
  };
}

/** A text without its leading lines `Name: value`, which repeat fields; unchanged if it has no other lines. */
function withoutHead(body: string): string {
  const rest = body.replace(/^(?:[A-Z][a-z]+: .*\n)+\n+/, '');
  return rest.trim() ? rest : body;
}

type ShownAttachment = Awaited<ReturnType<typeof listAttachments>>[number];

/** An attachment as operations return it, with the address of the file itself. */
export function presentAttachment(
  { id, filename, mime_type, size, message_id, state, reason, text_state, has_text }: ShownAttachment,
  publicUrl: string,
): z.input<typeof attachmentFields> {
  return {
    attachment_id: id,
    filename,
    mime_type,
    size: Number(size),
    message_id,
    state,
    reason,
    text_state,
    has_text,
    url: state === 'stored' ? `${publicUrl}/v1/attachments/${id}/content` : null,
  };
}

export function getPageOrigin({ source }: Pick<Page, 'source'>): 'outside' | 'here' {
  return source === null ? 'here' : 'outside';
}

/** The action of a page of the type `integration_action`; nothing for other pages. */
export function presentAction({ type, frontmatter }: Pick<Page, 'type' | 'frontmatter'>) {
  const action = type === 'integration_action' ? integrationAction.safeParse(frontmatter).data : undefined;
  return action ?? {};
}
