import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { readChoice, readText, type Search } from '../../routing/search.ts';
import { shellRoute } from '../../routing/shell-route.ts';
import { periods, type PagesAddress } from './pages-address.ts';
import { PagesPage } from './pages-page.tsx';

function readPagesAddress(search: Search): PagesAddress {
  return {
    q: readText(search['q']),
    source: readText(search['source']),
    type: readText(search['type']),
    when: readChoice(search['when'], periods),
    file: readText(search['file']),
  };
}

const pagesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/library',
  validateSearch: readPagesAddress,
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
  validateSearch: readPagesAddress,
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

/** Pages that integrations synced. */
export const pages = defineFeature({
  routes: [pagesRoute, pageRoute],
  menu: [{ place: 'Library', tab: 'Pages', to: '/library', key: 'l', needs: 'pages:read' }],
});
