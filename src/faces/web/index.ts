export { createApp, type ReportBug } from './app.ts';
export { consoleRoutes } from './console.ts';
export { listen, type Listener } from './listen.ts';
export { oauthRoutes } from './oauth.ts';
export { playgroundRoutes } from './oauth-playground.ts';
export { setVariablesRoutes } from './set-variables.ts';
export { signInRoutes } from './sign-in.ts';
export { signInWithRoutes, type SignInWith } from './sign-in-with.ts';
export { statusRoutes } from './status.ts';
