// Boards with what belongs to them, for examples of operations.
import type { GoogleEmulator } from '#emulators/google/index';
import type { ReachedServer } from './server.ts';

/** Makes boards with rows and skills, forms, links and dataset recipes; each answers the id. */
export function createBoardMakers(
  server: ReachedServer,
  google: GoogleEmulator,
  makeBoard: (name: string) => Promise<unknown>,
) {
  const createBoard = async (name: string) => String(await makeBoard(name));
  async function createLink(
    name: string,
    target: { kind: string; ref: Record<string, unknown>; display_name: string },
  ) {
    return (await server.ok('create_board_link', { board_id: await createBoard(name), ...target })).id;
  }
  const makers = {
    async board_with_rows(name: string) {
      const board_id = await createBoard(name);
      const rows = ['inv-1', 'inv-2', 'inv-3'].map((row_id) => ({ row_id, status: 'open' }));
      await server.ok('append_board_rows', { board_id, rows });
      return board_id;
    },
    async board_with_skill(name: string) {
      const skills = [{ name: 'Sort', prompt: 'Sort it.', fills: ['kind'] }];
      return (await server.ok('create_board', { name, skills })).board_id;
    },
    async board_form(name: string) {
      const form = { board_id: await createBoard(name), title: name, columns: ['name'] };
      return (await server.ok('create_board_form', form)).form_id;
    },
    board_link: (name: string) =>
      createLink(name, { kind: 'http_json', ref: { url: `${google.url}/items` }, display_name: 'Items' }),
    board_link_to_end: (name: string) => makers.board_link(name),
    github_link: (name: string) =>
      createLink(name, { kind: 'github', ref: { owner: 'ada', repo: 'engine' }, display_name: 'PRs' }),
    async dataset_recipe(name: string) {
      const link_id = await makers.github_link(name);
      const dataset = { dataset_name: 'prs', adapter_op: 'github.list_open_prs' };
      return (await server.ok('create_dataset_recipe', { link_id, ...dataset })).id;
    },
  };
  return makers;
}
