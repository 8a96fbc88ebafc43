import { createRoute } from '@tanstack/react-router';
import { defineFeature } from '../../routing/feature.ts';
import { createPageRoute, shellRoute } from '../../routing/shell-route.ts';
import { BoardPage } from './board-page.tsx';
import { BoardsPage } from './boards-page.tsx';

const boardRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/boards/$boardId',
  component: function Board() {
    return <BoardPage boardId={boardRoute.useParams().boardId} />;
  },
});

/** Tables that agents and automations fill. */
export const boards = defineFeature({
  routes: [createPageRoute('/boards', BoardsPage), boardRoute],
  menu: [{ place: 'Boards', to: '/boards', needs: 'boards:read' }],
});
