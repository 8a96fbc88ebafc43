import { createRoute } from '@tanstack/react-router';
import { documentAddress, pagesAddress } from './addresses.ts';
import { BoardPage } from './features/boards/board-page.tsx';
import { BoardsPage } from './features/boards/boards-page.tsx';
import { DocumentPage } from './features/documents/document-page.tsx';
import { DocumentsPage } from './features/documents/documents-page.tsx';
import { PagesPage } from './features/pages/pages-page.tsx';
import { pageAt, shellRoute } from './shell-route.tsx';

const pagesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/library',
  validateSearch: pagesAddress,
  component: function Pages() {
    const navigate = pagesRoute.useNavigate();
    return (
      <PagesPage
        pageId={undefined}
        address={pagesRoute.useSearch()}
        onChange={(change) =>
          void navigate({ search: (search) => ({ ...search, ...change }), replace: true, resetScroll: false })
        }
      />
    );
  },
});

const pageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/library/$pageId',
  validateSearch: pagesAddress,
  component: function Page() {
    const navigate = pageRoute.useNavigate();
    return (
      <PagesPage
        pageId={pageRoute.useParams().pageId}
        address={pageRoute.useSearch()}
        onChange={(change) =>
          void navigate({ search: (search) => ({ ...search, ...change }), replace: true, resetScroll: false })
        }
      />
    );
  },
});

const documentsRoute = pageAt('/library/documents', DocumentsPage);

const documentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/library/documents/$documentId',
  validateSearch: documentAddress,
  component: function Document() {
    const navigate = documentRoute.useNavigate();
    return (
      <DocumentPage
        documentId={documentRoute.useParams().documentId}
        line={documentRoute.useSearch().line ?? 1}
        onJump={(line) => void navigate({ search: { line }, resetScroll: false })}
      />
    );
  },
});

const boardsRoute = pageAt('/library/boards', BoardsPage);

const boardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/library/boards/$boardId',
  component: function Board() {
    return <BoardPage boardId={boardRoute.useParams().boardId} />;
  },
});

/** The pages of the library. */
export const libraryRoutes = [pagesRoute, pageRoute, documentsRoute, documentRoute, boardsRoute, boardRoute] as const;
