export { createApp, type ReportBug } from './app.ts';
export { createConsoleRoutes } from './console.ts';
export { listOwnHostNames } from './host-check.ts';
export { listen, type Listener } from './listen.ts';
export { webRoutes } from './routes.ts';
export { createSignInWith } from './signing-in.ts';
