import { createRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rootRoute } from './root-route.tsx';
import { Shell } from './shell/shell.tsx';

/** What stands around every page of somebody who is signed in. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

/** A page whose address tells nothing but which page it is. */
export function pageAt<const Path extends string>(path: Path, component: () => ReactNode) {
  return createRoute({ getParentRoute: () => shellRoute, path, component });
}
