import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Folder of the browser files of the API reference. */
export const docsAssets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

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
