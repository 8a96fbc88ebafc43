import { createRootRoute, Outlet, redirect } from '@tanstack/react-router';
import { movedTo } from './moved-addresses.ts';
import { NotFound } from './shell/dead-ends.tsx';

/** The root of all routes. */
export const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  beforeLoad({ location }) {
    const pathname = movedTo(location.pathname);
    if (pathname) throw redirect({ href: `${pathname}${location.searchStr}`, replace: true });
  },
});
