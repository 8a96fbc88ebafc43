import { findFace, type RestEnvironment } from '#faces/rest';
import { Hono } from 'hono';
import { findDownloadCaller } from './downloads.ts';
import type { WebDeps } from './web-deps.ts';

type Page = { jsonl: string; next_cursor: string | null };

/** `GET /v1/training/download/:dataset`: a dataset as a file, made of all pages of `training_download`. */
export function createTrainingRoutes(web: WebDeps): Hono<RestEnvironment> {
  const { catalogue, execute } = web;
  const app = new Hono<RestEnvironment>();
  app.get('/v1/training/download/:dataset', async (c) => {
    const operation = catalogue.get('training_download');
    if (!operation) throw new Error('training_download is not in the catalogue');
    const dataset = c.req.param('dataset');
    const caller = await findDownloadCaller(c, web);
    const { ticket: _ticket, ...asked } = c.req.query();
    const read = async (cursor: string | null) => {
      const input = { ...asked, dataset, ...(cursor !== null && { cursor }) };
      const answer = await execute({ operation, input, caller, face: findFace(c), requestId: c.get('requestId') });
      return answer as Page; // checked by the operation's own output schema
    };
    // Refusals come before the file begins.
    let page: Page | null = await read(null);
    const text = new TextEncoder();
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (!page) return controller.close();
          const { jsonl, next_cursor } = page;
          page = next_cursor === null ? null : await read(next_cursor);
          if (jsonl || page) controller.enqueue(text.encode(jsonl));
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return c.body(body, 200, {
      'content-type': 'application/jsonl; charset=utf-8',
      'content-disposition': `attachment; filename="${dataset}.jsonl"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
  });
  return app;
}
