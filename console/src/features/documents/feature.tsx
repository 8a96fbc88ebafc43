import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import type { Search } from '../../routing/search.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { DocumentPage, type DocumentAddress } from './document-page.tsx';
import { DocumentsPage } from './documents-page.tsx';

function readDocumentAddress(search: Search): DocumentAddress {
  const line = Number(search['line']);
  return { line: Number.isSafeInteger(line) && line > 0 ? line : undefined };
}

const documentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/library/documents/$documentId',
  validateSearch: readDocumentAddress,
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

/** Uploaded files and their text. */
export const documents = defineFeature({
  routes: [createPageRoute('/library/documents', DocumentsPage), documentRoute],
  menu: [{ place: 'Library', tab: 'Documents', to: '/library/documents', key: 'd', needs: 'memory:read' }],
});
