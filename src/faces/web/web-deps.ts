import type { Catalogue } from '#kernel/catalogue';
import type { Execute } from '#kernel/execute';
import type { Authenticate, Downloads, FindViewer } from '#modules/accounts';
import type { OauthServer } from '#modules/oauth-server';
import type { Ground } from '#platform';
import type { RestEnvironment } from '#faces/rest';
import type { Hono } from 'hono';
import type { SignInWith } from './sign-in-with.ts';

/**
 * The dependencies of this face's routes. A file of routes takes what it needs, and its module's part from `ground`.
 */
export type WebDeps = {
  ground: Ground;
  catalogue: Catalogue;
  execute: Execute;
  authenticate: Authenticate;
  findViewer: FindViewer;
  downloads: Downloads;
  signInWith: SignInWith;
  oauthServer: OauthServer;
  /** Groups of operations that a client may be allowed, in their order. */
  toolsets: readonly string[];
};

/** Declares routes. `routes.ts` has the list of all. */
export type CreateRoutes = (web: WebDeps) => Hono<RestEnvironment>;
