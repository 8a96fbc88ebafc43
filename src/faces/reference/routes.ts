import type { Catalogue } from '#kernel/catalogue';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { automationSdk } from './automation-sdk.ts';
import { docsAssets, docsPage } from './docs-page.ts';
import { llmsText } from './llms-text.ts';
import { openApi } from './openapi.ts';

const startScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });`;

/** The generated reference: `/openapi.json`, its page, and `/llms.txt`. */
export function referenceRoutes(options: {
  catalogue: Catalogue;
  /** In the order in which a reader should meet them. */
  toolsets: readonly string[];
  publicUrl: string;
}): Hono {
  const app = new Hono();
  const description = JSON.stringify(openApi(options.catalogue, options.publicUrl));
  const text = llmsText(options);
  app.get('/openapi.json', (c) => c.body(description, 200, { 'content-type': 'application/json' }));
  app.get('/llms.txt', (c) => c.text(text));
  app.get('/sdks/automation-sdk-v1.ts', (c) =>
    c.body(automationSdk, 200, { 'content-type': 'application/typescript' }),
  );
  app.get('/docs', (c) => c.html(docsPage));
  app.get('/docs/start.js', (c) => c.body(startScript, 200, { 'content-type': 'text/javascript' }));
  app.use(
    '/docs/assets/*',
    serveStatic({ root: docsAssets, rewriteRequestPath: (path) => path.replace('/docs/assets', '') }),
  );
  return app;
}
