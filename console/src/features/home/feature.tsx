import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute } from '../../routing/shell-route.ts';
import { HomePage } from './home-page.tsx';

/** The first page. */
export const home = defineFeature({
  routes: [createPageRoute('/', HomePage)],
  menu: [{ place: 'Home', to: '/', key: 'h' }],
});
