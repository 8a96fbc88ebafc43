import { AppError } from '#kernel/errors';
import { findFace, type RestEnvironment } from '#faces/rest';
import { getAttachmentFiles, getOpenRetainedFile, type OpenFile } from '#modules/pages';
import { Hono, type Context } from 'hono';
import { findDownloadCaller } from './downloads.ts';
import type { WebDeps } from './web-deps.ts';

/** Media types that a browser shows without running their content. All others are downloaded as bytes. */
const harmless = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'text/plain']);

/**
 * `GET /v1/attachments/:id/content`: a file of a page, and `GET /v1/actions/:id/files/:position/content`: a file that
 * is sent with a draft. Files come from outside, so they are downloaded and never shown in place. The operations
 * `get_attachment` and `get_action` decide who may have them.
 */
export function createAttachmentRoutes(web: WebDeps): Hono<RestEnvironment> {
  const { ground, catalogue, execute } = web;
  const [files, heldFiles] = [getAttachmentFiles(ground), getOpenRetainedFile(ground)];

  /** Calls the operation in the caller's name, so that its refusals apply. */
  async function asked(c: Context<RestEnvironment>, name: string, input: object) {
    const operation = catalogue.get(name);
    if (!operation) throw new Error(`${name} is not in the catalogue`);
    const caller = await findDownloadCaller(c, web);
    const answer = await execute({ operation, input, caller, face: findFace(c), requestId: c.get('requestId') });
    if (!caller) throw new Error(`${name} answered nobody`);
    return { answer, workspaceId: caller.workspaceId };
  }

  const app = new Hono<RestEnvironment>();
  app.get('/v1/attachments/:id/content', async (c) => {
    const id = c.req.param('id');
    const { answer, workspaceId } = await asked(c, 'get_attachment', { attachment_id: id, max_tokens: 100 });
    const file = await files(workspaceId, id);
    if (file) return sendDownload(c, file);
    const { reason } = answer as { reason: string | null }; // checked by the operation's own output schema
    throw new AppError('not_found', `This file is not stored. ${reason ?? 'It must still be fetched.'}`);
  });
  app.get('/v1/actions/:id/files/:position/content', async (c) => {
    const { id, position } = c.req.param();
    const { workspaceId } = await asked(c, 'get_action', { draft_id: id });
    const file = /^\d$/.test(position) ? await heldFiles(workspaceId, id, Number(position)) : null;
    if (file) return sendDownload(c, file);
    throw new AppError(
      'not_found',
      'This file is no longer stored: files are released when the outcome of a draft is known.',
    );
  });
  return app;
}

/** A file as a download that is never shown in place, unless its type is harmless. */
export function sendDownload(c: Context<RestEnvironment>, { body, mimeType, size, filename }: OpenFile): Response {
  const type = mimeType.toLowerCase();
  return c.body(body, 200, {
    'content-type': harmless.has(type) ? type : 'application/octet-stream',
    'content-length': String(size),
    'content-disposition': formatDisposition(filename),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
}

/** RFC 6266 with RFC 8187: the name in ASCII for old clients, and in full for others. */
function formatDisposition(filename: string): string {
  const name = filename.replaceAll(/[/\\\p{Cc}\p{Cf}]/gu, '_') || 'attachment';
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
