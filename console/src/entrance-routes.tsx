import { createRoute } from '@tanstack/react-router';
import { proveAddress, signInAddress } from './addresses.ts';
import { ProvePage } from './features/accounts/prove-page.tsx';
import { SignInPage } from './features/accounts/sign-in-page.tsx';
import { SignUpPage } from './features/accounts/sign-up-page.tsx';
import { rootRoute } from './root-route.tsx';

/** The routes for people who are not signed in. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: signInAddress,
  component: function SignIn() {
    return <SignInPage {...signInRoute.useSearch()} />;
  },
});

/** The page where a person proves who they are, before a page of the server. */
export const proveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prove',
  validateSearch: proveAddress,
  component: function Prove() {
    return <ProvePage {...proveRoute.useSearch()} />;
  },
});

/** The sign-up page. */
export const signUpRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-up', component: SignUpPage });
