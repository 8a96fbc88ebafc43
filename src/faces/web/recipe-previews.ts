import { AppError } from '#kernel/errors';
import { findFace, type RestEnvironment } from '#faces/rest';
import { getPreviews } from '#modules/recipes';
import { Hono } from 'hono';
import { findDownloadCaller } from './downloads.ts';
import type { WebDeps } from './web-deps.ts';

/** `GET /v1/recipes/:slug/preview`: the image of a recipe; who may have it is decided by `get_starter_recipe`. */
export function createRecipePreviewRoutes(web: WebDeps): Hono<RestEnvironment> {
  const { ground, catalogue, execute } = web;
  const findPreview = getPreviews(ground);
  const app = new Hono<RestEnvironment>();
  app.get('/v1/recipes/:slug/preview', async (c) => {
    const operation = catalogue.get('get_starter_recipe');
    if (!operation) throw new Error('get_starter_recipe is not in the catalogue');
    const slug = c.req.param('slug');
    const caller = await findDownloadCaller(c, web);
    await execute({ operation, input: { slug }, caller, face: findFace(c), requestId: c.get('requestId') });
    const image = caller && (await findPreview(caller.workspaceId, slug));
    if (!image) throw new AppError('not_found', 'This recipe has no preview image.');
    return c.body(new Uint8Array(image.bytes), 200, {
      'content-type': image.type,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    });
  });
  return app;
}
