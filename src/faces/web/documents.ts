import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Caller } from '#kernel/caller';
import { AppError } from '#kernel/errors';
import { findCaller, findFace, type RestEnvironment } from '#faces/rest';
import { getDocumentFiles, getUploads } from '#modules/documents';
import { Hono, type Context } from 'hono';
import { sendDownload } from './attachments.ts';
import { findDownloadCaller } from './downloads.ts';
import { mostFormBytes, readForm } from './multipart.ts';
import type { WebDeps } from './web-deps.ts';

/**
 * `POST /v1/documents` with a form: the file is written to disk while it arrives, and `upload_document` stores it. `GET
 * /v1/documents/:id/content`: the original, for callers of `get_document`.
 */
export function createDocumentRoutes(web: WebDeps): Hono<RestEnvironment> {
  const { ground, catalogue, execute, authenticate } = web;
  const [files, uploads] = [getDocumentFiles(ground), getUploads(ground)];
  const app = new Hono<RestEnvironment>();

  async function call(c: Context<RestEnvironment>, name: string, input: object, caller: Caller | null) {
    const operation = catalogue.get(name);
    if (!operation) throw new Error(`${name} is not in the catalogue`);
    const idempotencyKey = c.req.header('idempotency-key');
    const requestId = c.get('requestId');
    const output = await execute({
      operation,
      input,
      caller,
      face: findFace(c),
      requestId,
      ...(idempotencyKey && { idempotencyKey }),
    });
    if (!caller) throw new Error(`${name} answered nobody`);
    return { output, workspaceId: caller.workspaceId };
  }

  app.post('/v1/documents', async (c, next) => {
    const contentType = c.req.header('content-type') ?? '';
    if (!/^multipart\/form-data/i.test(contentType)) return next();
    // Only callers with a key may use disk space.
    const caller = await findCaller(c, authenticate);
    if (!caller) await call(c, 'upload_document', {}, null);
    const folder = await mkdtemp(join(tmpdir(), 'thalamus-upload-'));
    let name: string | null = null;
    try {
      const path = join(folder, 'file');
      const body = c.req.raw.body ?? new Blob([]).stream();
      const { fields, file } = await readForm(body, contentType, { path, most: mostFormBytes });
      if (!file) throw new AppError('invalid_input', 'The form has no file. Add a part called `file` with a filename.');
      name = uploads.keep({ path, ...file, cancelled: c.req.raw.signal });
      const { output } = await call(c, 'upload_document', { ...withBooleans(fields), upload: name }, caller);
      return c.json(output as object);
    } finally {
      if (name !== null) uploads.release(name);
      await rm(folder, { recursive: true, force: true });
    }
  });

  app.get('/v1/documents/:id/content', async (c) => {
    const id = c.req.param('id');
    const { workspaceId } = await call(c, 'get_document', { document_id: id }, await findDownloadCaller(c, web));
    const file = await files(workspaceId, id);
    if (!file) throw new AppError('not_found', 'The original of this document is no longer kept.');
    return sendDownload(c, file);
  });
  return app;
}

/** A form has only texts. */
function withBooleans(fields: Record<string, string>): Record<string, string | boolean> {
  const { replace } = fields;
  return replace === 'true' || replace === 'false' ? { ...fields, replace: replace === 'true' } : fields;
}
