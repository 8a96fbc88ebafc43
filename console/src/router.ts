import { createRouter } from '@tanstack/react-router';
import { entranceRoutes, pageRoutes } from './features/index.ts';
import { rootRoute } from './routing/root-route.ts';
import { shellRoute } from './routing/shell-route.ts';
import { NotFound, PageFailed } from './shell/dead-ends.tsx';
import { Shell } from './shell/shell.tsx';

rootRoute.update({ notFoundComponent: NotFound });
shellRoute.update({ component: Shell });

const routeTree = rootRoute.addChildren([...entranceRoutes, shellRoute.addChildren(pageRoutes)]);

/** Every address of the console and the page it shows. */
export const router = createRouter({
  routeTree,
  defaultPreload: false,
  scrollRestoration: true,
  defaultErrorComponent: PageFailed,
});

declare module '@tanstack/react-router' {
  // Declaration merging needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Register {
    router: typeof router;
  }
}
