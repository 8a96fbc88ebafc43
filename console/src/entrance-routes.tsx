import { createRoute } from '@tanstack/react-router';
import { proveAddress, signInAddress } from './addresses.ts';
import { ProvePage } from './features/accounts/prove-page.tsx';
import { SignInPage } from './features/accounts/sign-in-page.tsx';
import { SignUpPage } from './features/accounts/sign-up-page.tsx';
import { rootRoute } from './root-route.tsx';

/** Where people come in who are not signed in yet. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: signInAddress,
  component: function SignIn() {
    return <SignInPage {...signInRoute.useSearch()} />;
  },
});

/** Where a person proves that it is them, on the way back to a page of the server. */
export const proveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prove',
  validateSearch: proveAddress,
  component: function Prove() {
    return <ProvePage {...proveRoute.useSearch()} />;
  },
});

/** Where somebody gets an account of their own. */
export const signUpRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-up', component: SignUpPage });
