import { createRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rootRoute } from './root-route.tsx';
import { Shell } from './shell/shell.tsx';

/** The layout of all pages for signed-in people. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

/** A page whose address tells nothing but which page it is. */
export function pageAt<const Path extends string>(path: Path, component: () => ReactNode) {
  return createRoute({ getParentRoute: () => shellRoute, path, component });
}
