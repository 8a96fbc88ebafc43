import { accounts } from './accounts/feature.tsx';
import { actions } from './actions/feature.tsx';
import { automations } from './automations/feature.tsx';
import { boards } from './boards/feature.tsx';
import { brains } from './brains/feature.tsx';
import { documents } from './documents/feature.tsx';
import { home } from './home/feature.tsx';
import { ingest } from './ingest/feature.tsx';
import { integrations } from './integrations/feature.tsx';
import { memory } from './memory/feature.tsx';
import { notifications } from './notifications/feature.tsx';
import { outputs } from './outputs/feature.tsx';
import { pages } from './pages/feature.tsx';
import { recipes } from './recipes/feature.tsx';
import { usage } from './usage/feature.tsx';
import { variables } from './variables/feature.tsx';
import { webhooks } from './webhooks/feature.tsx';
import { workflows } from './workflows/feature.tsx';

/** Every feature of the console. `routing/structure.ts` has the order in which they are shown. */
const features = [
  home,
  actions,
  memory,
  pages,
  documents,
  brains,
  recipes,
  boards,
  automations,
  workflows,
  accounts,
  integrations,
  ingest,
  webhooks,
  outputs,
  variables,
  usage,
  notifications,
] as const;

type DeclaredFeature = (typeof features)[number];

/** The pages of all features, for signed-in people. */
export const pageRoutes = features.flatMap<DeclaredFeature['routes'][number]>(({ routes }) => routes);

/** The pages of all features that people who are not signed in may open. */
export const entranceRoutes = features.flatMap<DeclaredFeature['entrances'][number]>(({ entrances }) => entrances);

/** The entries of all features in the navigation. */
export const menu = features.flatMap<DeclaredFeature['menu'][number]>((feature) => feature.menu);
