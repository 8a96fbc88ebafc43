import { itemId } from '#kernel/ids';
import { defineResource } from '#kernel/resource';
import { locateBoards } from './store/boards.ts';
import { locateForms } from './store/forms.ts';
import { locateLinks, locateLinksToEnd } from './store/links.ts';
import { locateRecipes } from './store/recipes.ts';

export const boardId = itemId('board').describe('Id of a board, from `list_boards` or `get_board`.');

/** Readers of its brain see a board. */
export const boardResource = defineResource({ kind: 'board', noun: 'board', locate: locateBoards });

export const boardLinkId = itemId('board_link').describe(
  'Id of a link, from `create_board_link` or `list_board_links`.',
);
export const linkToEndId = itemId('board_link_to_end').describe('Id of a link, from `list_board_links`.');
export const personToRead = itemId('person');

/** Readers of its board see a link. */
export const boardLinkResource = defineResource({ kind: 'board_link', noun: 'link', locate: locateLinks });

/** The person of its account also sees it, even without the board. */
export const linkToEndResource = defineResource({
  kind: 'board_link_to_end',
  noun: 'link',
  locate: (db, ids, { personId, reach }) =>
    reach === 'owner' ? locateLinksToEnd(db, ids, personId) : locateLinks(db, ids),
});

export const datasetRecipeId = itemId('dataset_recipe').describe(
  'Id of a dataset recipe, from `create_dataset_recipe` or `list_board_links`.',
);

/** Readers of its board see a dataset recipe. */
export const datasetRecipeResource = defineResource({ kind: 'dataset_recipe', noun: 'recipe', locate: locateRecipes });

export const boardFormId = itemId('board_form').describe(
  'Id of a form, from `create_board_form` or `list_board_forms`.',
);

/** Readers of its board see a form. */
export const boardFormResource = defineResource({ kind: 'board_form', noun: 'form', locate: locateForms });
