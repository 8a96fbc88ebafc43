import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../routing/root-route.ts';
import { readOwnPath, readText, type Search } from '../../routing/search.ts';
import { ProvePage } from './prove-page.tsx';
import { SignInPage, type SignInAddress } from './sign-in-page.tsx';
import { SignUpPage } from './sign-up-page.tsx';

/** The page to return to, the workspace, and whether a provider's account was rejected. */
function readSignInAddress(search: Search): SignInAddress {
  return {
    back: readOwnPath(search['back']),
    workspace: readText(search['workspace']),
    refused: search['refused'] === true || undefined,
  };
}

/** The page to return to after a person has confirmed who they are. */
function readProveAddress(search: Search): { back: string } {
  return { back: readOwnPath(search['back']) ?? '/' };
}

/** The sign-in page. */
export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readSignInAddress,
  component: function SignIn() {
    return <SignInPage {...signInRoute.useSearch()} />;
  },
});

/** The page where a person confirms who they are, before a page of the server. */
export const proveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/prove',
  validateSearch: readProveAddress,
  component: function Prove() {
    return <ProvePage {...proveRoute.useSearch()} />;
  },
});

/** The sign-up page. */
export const signUpRoute = createRoute({ getParentRoute: () => rootRoute, path: '/sign-up', component: SignUpPage });
