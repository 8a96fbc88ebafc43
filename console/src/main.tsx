import './style.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { ToastArea } from './design/toasts.tsx';
import { isSignInToken } from './features/accounts/sign-in-token.ts';
import { router } from './router.ts';

/** A session that ended leads to the sign-in page, and from there back to where the person was. */
function onSignedOut(): void {
  const { pathname, searchStr, hash } = router.state.location;
  if (pathname === '/sign-in') return;
  // A mailed link brings what signs in; it must not come to stand in the part of an address that servers see.
  const rest = isSignInToken(hash) ? '' : hash && `#${hash}`;
  const back = `${pathname}${searchStr}${rest}`;
  void router.navigate({ to: '/sign-in', search: { back }, ...(isSignInToken(hash) && { hash }), replace: true });
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient(onSignedOut)}>
      <ToastArea>
        <RouterProvider router={router} />
      </ToastArea>
    </QueryClientProvider>
  </StrictMode>,
);
