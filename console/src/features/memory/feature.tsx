import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { readChoice, readText, type Search } from '../../routing/search.ts';
import { shellRoute } from '../../routing/shell-route.ts';
import { ContradictionsPage, type ContradictionsAddress } from './contradictions-page.tsx';
import { DuplicatesPage, type DuplicatesAddress } from './duplicates-page.tsx';
import { GraphPage, type GraphAddress } from './graph-page.tsx';
import type { MemoryAddress } from './memory-filters.tsx';
import { MemoryPage } from './memory-page.tsx';
import { memoryTypes, saliences } from './requests.ts';

function readMemoryAddress(search: Search): MemoryAddress {
  return {
    q: readText(search['q']),
    brain: readText(search['brain']),
    type: readChoice(search['type'], memoryTypes),
    salience: readChoice(search['salience'], saliences),
    source: readText(search['source']),
    author: readText(search['author']),
    since: readText(search['since']),
    until: readText(search['until']),
    memory: readText(search['memory']),
  };
}

function readDuplicatesAddress(search: Search): DuplicatesAddress {
  return { brain: readText(search['brain']), memory: readText(search['memory']) };
}

function readContradictionsAddress(search: Search): ContradictionsAddress {
  return { ...readDuplicatesAddress(search), hidden: search['hidden'] === true || undefined };
}

function readGraphAddress(search: Search): GraphAddress {
  return {
    brain: readText(search['brain']),
    constellation: readText(search['constellation']),
    view: search['view'] === 'list' ? 'list' : undefined,
    memory: readText(search['memory']),
  };
}

const memoryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memory',
  validateSearch: readMemoryAddress,
  component: function Memory() {
    const navigate = memoryRoute.useNavigate();
    return (
      <MemoryPage
        address={memoryRoute.useSearch()}
        onChange={(change) =>
          void navigate({ search: (search) => ({ ...search, ...change }), replace: true, resetScroll: false })
        }
        onOpen={(memory) => void navigate({ search: (search) => ({ ...search, memory }), resetScroll: false })}
      />
    );
  },
});

const duplicatesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memory/clean-up',
  validateSearch: readDuplicatesAddress,
  component: function Duplicates() {
    const navigate = duplicatesRoute.useNavigate();
    return (
      <DuplicatesPage
        address={duplicatesRoute.useSearch()}
        onChange={(search) => void navigate({ search, resetScroll: false })}
      />
    );
  },
});

const contradictionsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memory/clean-up/contradictions',
  validateSearch: readContradictionsAddress,
  component: function Contradictions() {
    const navigate = contradictionsRoute.useNavigate();
    return (
      <ContradictionsPage
        address={contradictionsRoute.useSearch()}
        onChange={(search) => void navigate({ search, resetScroll: false })}
      />
    );
  },
});

const graphRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/memory/graph',
  validateSearch: readGraphAddress,
  component: function Graph() {
    const navigate = graphRoute.useNavigate();
    return (
      <GraphPage
        address={graphRoute.useSearch()}
        onChange={(change) => void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false })}
      />
    );
  },
});

/** Memories: the list, what repeats or contradicts itself, and how they are linked. */
export const memory = defineFeature({
  routes: [memoryRoute, duplicatesRoute, contradictionsRoute, graphRoute],
  menu: [
    { place: 'Memory', tab: 'List', to: '/memory', key: 'm', needs: 'memory:read' },
    { place: 'Memory', tab: 'Clean up', to: '/memory/clean-up', needs: 'memory:read' },
  ],
});
