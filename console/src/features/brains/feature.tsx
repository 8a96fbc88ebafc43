import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { readChoice, readText, type Search } from '../../routing/search.ts';
import { shellRoute } from '../../routing/shell-route.ts';
import { BrainsPage } from './brains-page.tsx';
import { tabNames, type BrainAddress } from './tab-names.ts';

function readBrainAddress(search: Search): BrainAddress {
  return {
    tab: readChoice(search['tab'], tabNames),
    days: search['days'] === 30 ? 30 : undefined,
    below: search['below'] === true || undefined,
    memory: readText(search['memory']),
  };
}

const brainsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/brains',
  validateSearch: readBrainAddress,
  component: function Brains() {
    const navigate = brainsRoute.useNavigate();
    return (
      <BrainsPage
        brainId={undefined}
        address={brainsRoute.useSearch()}
        onChange={(change) => void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false })}
      />
    );
  },
});

const brainRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/brains/$brainId',
  validateSearch: readBrainAddress,
  component: function Brain() {
    const navigate = brainRoute.useNavigate();
    return (
      <BrainsPage
        brainId={brainRoute.useParams().brainId}
        address={brainRoute.useSearch()}
        onChange={(change) => void navigate({ search: (search) => ({ ...search, ...change }), resetScroll: false })}
      />
    );
  },
});

/** Brains, with their members, knowledge and skills. */
export const brains = defineFeature({
  routes: [brainsRoute, brainRoute],
  menu: [{ place: 'Brains', to: '/brains', key: 'b', needs: 'brains:read' }],
});
