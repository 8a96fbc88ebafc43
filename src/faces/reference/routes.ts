import type { Catalogue } from '#kernel/catalogue';
import { buildRecipeJsonSchema } from '#modules/recipes';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Hono } from 'hono';
import { automationSdk } from './automation-sdk.ts';
import { docsAssets, docsFiles, docsPage, docsPolicy } from './docs-page.ts';
import { answerFixedText } from './fixed-text.ts';
import { formatLlmsText } from './llms-text.ts';
import { openApi } from './openapi.ts';

/** The reference is the same for everybody. */
const forAll = { 'cache-control': 'no-cache' };
const startScript = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, validatorUrl: null });`;

/** The generated reference: `/openapi.json`, its page, and `/llms.txt`. */
export function createReferenceRoutes(options: {
  catalogue: Catalogue;
  /** In the best order for reading. */
  toolsets: readonly string[];
  publicUrl: string;
}): Hono {
  const app = new Hono();
  const fixed = (path: string, type: string, makeText: () => string | Buffer) =>
    app.get(path, answerFixedText(makeText, { 'content-type': type, ...forAll }));
  fixed('/openapi.json', 'application/json', () => JSON.stringify(openApi(options.catalogue, options.publicUrl)));
  fixed('/llms.txt', 'text/plain; charset=UTF-8', () => formatLlmsText(options));
  fixed('/schemas/recipe.json', 'application/schema+json', () =>
    JSON.stringify(buildRecipeJsonSchema(options.publicUrl)),
  );
  fixed('/sdks/automation-sdk-v1.ts', 'application/typescript', () => automationSdk);
  app.get('/docs', (c) => c.html(docsPage, 200, { 'content-security-policy': docsPolicy, ...forAll }));
  app.get('/docs/start.js', (c) => c.body(startScript, 200, { 'content-type': 'text/javascript', ...forAll }));
  for (const [file, type] of Object.entries(docsFiles))
    fixed(`/docs/assets/${file}`, type, () => readFileSync(join(docsAssets, file)));
  return app;
}
