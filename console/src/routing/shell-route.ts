import { createRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { rootRoute } from './root-route.ts';

/** The layout of all pages for signed-in people. `router.tsx` gives it the shell, which knows every feature. */
export const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell' });

/** A page that needs nothing from its address. */
export function createPageRoute<const Path extends string>(path: Path, component: () => ReactNode) {
  return createRoute({ getParentRoute: () => shellRoute, path, component });
}
