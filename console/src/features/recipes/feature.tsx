import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { readChoice, readText, type Search } from '../../routing/search.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { CodexPage, type CodexSearch } from './codex-page.tsx';
import { InstallsPage } from './installs-page.tsx';
import { RecipePage } from './recipe-page.tsx';
import { UpdatesCount } from './updates-count.tsx';
import { kinds } from './words.ts';

function readCodexSearch(search: Search): CodexSearch {
  return { kind: readChoice(search['kind'], kinds), q: readText(search['q']) };
}

const codexRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/codex',
  validateSearch: readCodexSearch,
  component: function Codex() {
    return <CodexPage {...codexRoute.useSearch()} />;
  },
});

const recipeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/codex/$slug',
  component: function Recipe() {
    return <RecipePage slug={recipeRoute.useParams().slug} />;
  },
});

/** What can be installed, and what was. */
export const recipes = defineFeature({
  routes: [codexRoute, recipeRoute, createPageRoute('/installs', InstallsPage)],
  menu: [
    { place: 'Codex', tab: 'Recipes', to: '/codex', key: 'x', needs: 'recipes:read' },
    { place: 'Codex', tab: 'Installed', to: '/installs', needs: 'recipes:read', badge: UpdatesCount },
  ],
});
