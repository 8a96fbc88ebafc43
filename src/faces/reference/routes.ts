import type { Catalogue } from '#kernel/catalogue';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { automationSdk } from './automation-sdk.ts';
import { docsAssets, docsFiles, docsPage, docsPolicy } from './docs-page.ts';
import { llmsText } from './llms-text.ts';
import { openApi } from './openapi.ts';

/** The reference is the same for everybody. */
const forAll = { 'cache-control': 'no-cache' };
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
  app.get('/openapi.json', (c) => c.body(description, 200, { 'content-type': 'application/json', ...forAll }));
  app.get('/llms.txt', (c) => c.text(text, 200, forAll));
  app.get('/sdks/automation-sdk-v1.ts', (c) =>
    c.body(automationSdk, 200, { 'content-type': 'application/typescript', ...forAll }),
  );
  app.get('/docs', (c) => c.html(docsPage, 200, { 'content-security-policy': docsPolicy, ...forAll }));
  app.get('/docs/start.js', (c) => c.body(startScript, 200, { 'content-type': 'text/javascript', ...forAll }));
  for (const file of docsFiles)
    app.get(
      `/docs/assets/${file}`,
      serveStatic({
        root: docsAssets,
        rewriteRequestPath: () => `/${file}`,
        onFound: (_path, c) => c.header('cache-control', forAll['cache-control']),
      }),
    );
  return app;
}
