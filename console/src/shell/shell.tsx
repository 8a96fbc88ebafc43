import { useQuery } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLiveUpdates, type Changes } from '../api/live-updates.ts';
import { isSignedOut } from '../api/api-error.ts';
import { Mark } from '../design/mark.tsx';
import { ErrorState } from '../design/states.tsx';
import { useKeys } from '../design/use-keys.ts';
import { ProofDialog } from '../features/accounts/proof-dialog.tsx';
import { meQuery } from '../entities/me.ts';
import { isSignInToken } from '../features/accounts/sign-in-token.ts';
import { dropWaiting, readEdited } from '../features/actions/waiting.ts';
import { menu } from '../features/index.ts';
import { noteDecidedDraft, noteNewDraft } from '../features/notifications/new-drafts.ts';
import { notePassedDeadline } from '../features/notifications/passed-deadlines.ts';
import { useNotices } from '../features/notifications/use-notices.ts';
import { buildNavigation, NavigationContext, useNavigation } from '../routing/navigation.ts';
import { BottomBar } from './bottom-bar.tsx';
import { CommandPalette } from './command-palette.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { Sidebar } from './sidebar.tsx';

/** Everything around a page once a person is signed in. */
export function Shell() {
  const { data: me, error, refetch } = useQuery(meQuery);
  const navigation = useMemo(() => buildNavigation(menu, me?.scopes ?? []), [me?.scopes]);
  if (me)
    return (
      <NavigationContext value={navigation}>
        <SignedIn />
      </NavigationContext>
    );
  return (
    <main className="grid min-h-dvh place-items-center">
      {error && !isSignedOut(error) ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Loading">
          <Mark className="size-9" signal="calls" />
        </div>
      )}
    </main>
  );
}

/**
 * Applies events to cached lists, which may have thousands of items, and shows notices to a person who does not look.
 */
function useChanges(): Changes {
  const navigate = useNavigate();
  return useMemo(() => {
    const readAgain: Changes[string] = (queryClient, { draft_id }) =>
      void readEdited(queryClient, String(draft_id)).catch(() => {}); // it shows when it is opened
    const openWorkflow = (workflowId: string) =>
      void navigate({ to: '/workflows/$workflowId', params: { workflowId } });
    const open = (draftId: string) => void navigate({ to: '/inbox/$draftId', params: { draftId } });
    return {
      'draft.created': (queryClient, { draft_id }) => noteNewDraft(queryClient, String(draft_id), open),
      'draft.edited': readAgain,
      'draft.extended': readAgain,
      'draft.decided': (queryClient, { draft_id }) => {
        dropWaiting(queryClient, [String(draft_id)]);
        noteDecidedDraft(String(draft_id));
      },
      'workflow.deadline_passed': (queryClient, { workflow_id, name }) =>
        void notePassedDeadline(
          queryClient,
          { workflowId: String(workflow_id), name: String(name) },
          openWorkflow,
        ).catch(
          () => {}, // the workflow shows it all the same
        ),
    };
  }, [navigate]);
}

function SignedIn() {
  const isLive = useLiveUpdates(useChanges());
  useNotices();
  const [isHelping, setIsHelping] = useState(false);
  const [isSearching, setIsSearching] = useState(false);
  useGoKeys(() => setIsHelping(true));
  useForgetToken();
  const main = useFocusOnNewPage();
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[14.5rem_minmax(0,1fr)]">
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-lg focus:bg-ink focus:px-3 focus:py-2 focus:text-sm focus:text-invert"
      >
        Skip to the page
      </a>
      <Sidebar isLive={isLive} onSearch={() => setIsSearching(true)} onHelp={() => setIsHelping(true)} />
      <main id="page" ref={main} tabIndex={-1} className="min-w-0 pb-16 outline-none md:pb-0">
        <Outlet />
      </main>
      <BottomBar />
      <CommandPalette isOpen={isSearching} setIsOpen={setIsSearching} />
      <ProofDialog />
      <ShortcutsDialog isOpen={isHelping} onClose={() => setIsHelping(false)} />
    </div>
  );
}

/** Removes a sign-in token from the URL and history when the person is already signed in. */
function useForgetToken(): void {
  const navigate = useNavigate();
  const withoutToken = useRouterState({
    select: ({ location: { pathname, searchStr, hash } }) =>
      isSignInToken(hash) ? `${pathname}${searchStr}` : undefined,
  });
  useEffect(() => {
    if (withoutToken !== undefined) void navigate({ href: withoutToken, replace: true });
  }, [navigate, withoutToken]);
}

/** `g` and then a letter goes to a page; `?` shows the keys. */
function useGoKeys(onHelp: () => void): void {
  const navigate = useNavigate();
  const entries = useNavigation().flatMap(({ places }) => places.flatMap((place) => place.entries));
  const going = entries.flatMap(({ key, to }) => (key ? [[`g ${key}`, () => void navigate({ to })] as const] : []));
  useKeys({ ...Object.fromEntries(going), '?': onHelp });
}

/** A new page is read out from its start, as a page load would be. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  const section = useRouterState({ select: (state) => state.location.pathname.split('/')[1] });
  const shown = useRef(section);
  useEffect(() => {
    if (shown.current !== section) main.current?.focus({ preventScroll: true });
    shown.current = section;
  }, [section]);
  return main;
}
