import { createRootRoute, redirect } from '@tanstack/react-router';
import { findMovedAddress } from './moved-addresses.ts';

/** The root of all routes. The shell gives it what an unknown address shows. */
export const rootRoute = createRootRoute({
  beforeLoad({ location }) {
    const pathname = findMovedAddress(location.pathname);
    if (pathname) throw redirect({ href: `${pathname}${location.searchStr}`, replace: true });
  },
});
