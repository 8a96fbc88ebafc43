import type { RestEnvironment } from '#faces/rest';
import type { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { isConsolePage } from './console-pages.ts';

/** Paths with many routes below them: they say nothing about one of these routes. */
const everywhere = new Set(['*', '/*', '/v1/tools/:name']);

/** Creates the function that finds the methods that routes accept at a path. The routes are read at its first call. */
export function createFindMethods(app: Hono<RestEnvironment>): (path: string) => string[] {
  let router: TrieRouter<string> | undefined;
  return function findMethods(path) {
    router ??= readRoutes(app);
    const methods = new Set(router.match('ALL', path)[0].map(([method]) => method));
    if (isConsolePage(path)) methods.add('GET');
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].toSorted();
  };
}

function readRoutes(app: Hono<RestEnvironment>): TrieRouter<string> {
  const router = new TrieRouter<string>();
  for (const { method, path } of app.routes)
    if (method !== 'ALL' && !everywhere.has(path)) router.add('ALL', path, method);
  return router;
}
