import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Folder of the browser files of the API reference. */
export const docsAssets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The files of it that the page loads, with their types; the others, such as its own start page, are not served. */
export const docsFiles = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** The page loads only from this server and calls only this server. Swagger UI sets styles of elements by script. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The API reference for browsers: Swagger UI over `/openapi.json`, served by this server only. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Thalamus API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
