import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import type { Search } from '../../routing/search.ts';
import { shellRoute } from '../../routing/shell-route.ts';
import { UsagePage } from './usage-page.tsx';
import { usagePeriods, type UsageAddress } from './usage-periods.ts';

function readUsageAddress(search: Search): UsageAddress {
  return { period: usagePeriods.find((period) => period === search['period']) };
}

const usageRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/usage',
  validateSearch: readUsageAddress,
  component: function Usage() {
    const navigate = usageRoute.useNavigate();
    return (
      <UsagePage
        address={usageRoute.useSearch()}
        onChange={(search) => void navigate({ search, replace: true, resetScroll: false })}
      />
    );
  },
});

/** What language models cost. */
export const usage = defineFeature({
  routes: [usageRoute],
  menu: [{ place: 'Usage', to: '/usage', key: 'u', needs: 'usage:read' }],
});
