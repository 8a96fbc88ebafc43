import type { Catalogue } from '#kernel/catalogue';
import { AppError } from '#kernel/errors';
import type { Execute } from '#kernel/execute';
import { callerOf, type RestEnvironment } from '#faces/rest';
import type { Authenticate } from '#modules/accounts';
import type { AttachmentFiles } from '#modules/pages';
import { Hono } from 'hono';

/** What a browser shows without running anything that is in it. Everything else is handed over as bytes. */
const harmless = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf', 'text/plain']);

/**
 * `GET /v1/attachments/:id/content`: a file that came with a page, to be saved and never shown in place, since it came from
 * outside. Who may have it is decided by the operation `get_attachment`.
 */
export function attachmentRoutes(options: {
  catalogue: Catalogue;
  execute: Execute;
  authenticate: Authenticate;
  files: AttachmentFiles;
}): Hono<RestEnvironment> {
  const { catalogue, execute, authenticate, files } = options;
  const app = new Hono<RestEnvironment>();
  app.get('/v1/attachments/:id/content', async (c) => {
    const operation = catalogue.get('get_attachment');
    if (!operation) throw new Error('get_attachment is not in the catalogue');
    const caller = await callerOf(c, authenticate);
    const id = c.req.param('id');
    const input = { attachment_id: id, max_tokens: 100 };
    const told = (await execute({ operation, input, caller, requestId: c.get('requestId') })) as {
      reason: string | null; // checked by the operation's own output schema
    };
    const file = caller && (await files(caller.workspaceId, id));
    if (!file)
      throw new AppError('not_found', `This file is not stored. ${told.reason ?? 'It is still to be fetched.'}`);
    const type = file.mimeType.toLowerCase();
    return c.body(file.body, 200, {
      'content-type': harmless.has(type) ? type : 'application/octet-stream',
      'content-length': String(file.size),
      'content-disposition': dispositionOf(file.filename),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
  });
  return app;
}

/** RFC 6266 with RFC 8187: the name in ASCII for old clients, and as it is for all others. */
function dispositionOf(filename: string): string {
  const name = filename.replaceAll(/[/\\\p{Cc}\p{Cf}]/gu, '_') || 'attachment';
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
