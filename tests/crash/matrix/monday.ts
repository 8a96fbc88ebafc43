import { startMondayEmulator } from '#emulators/monday/index';
import { linkAccount } from '../../support/linking.ts';
import { buildOauthSettings } from '#emulators/settings';
import type { Subject, Upstream } from './upstream.ts';

export async function startMondayUpstream(): Promise<Upstream> {
  const monday = await startMondayEmulator({ newOauth: true });
  monday.addUser({ name: 'Ada' });
  const columns = [{ id: 'owner', title: 'Owner', type: 'text' as const }];
  const { id: board_id } = monday.addBoard({ name: 'Engine', columns });
  const commented = monday.seedItem(board_id, { name: 'Commented', by: 'Ada' });
  const effect = (marker: string) => ({ path: '/v2', body: new RegExp(`mutation.*${marker}`, 's') });
  const items = () => monday.items(board_id).filter((item) => item.state === 'active');
  const subjects: Subject[] = [
    {
      name: 'monday create_item',
      handle: 'fingerprint',
      request: (name) => ({ source: 'monday', action_name: 'create_item', input: { board_id, name } }),
      visible: (name) => items().filter((item) => item.name === name).length,
      requests: (name) => [effect(name)],
    },
    {
      name: 'monday update_item',
      handle: 'state',
      request(owner) {
        const { id } = monday.seedItem(board_id, { name: `for ${owner}`, by: 'Ada' });
        return { source: 'monday', action_name: 'update_item', input: { board_id, item_id: id, values: { owner } } };
      },
      visible: (owner) => items().filter((item) => item.values['owner'] === owner).length,
      requests: (owner) => [effect(owner)],
    },
    {
      name: 'monday create_update',
      handle: 'fingerprint',
      request: (body) => ({ source: 'monday', action_name: 'create_update', input: { item_id: commented.id, body } }),
      visible: (body) => monday.updates(commented.id).filter((update) => update.body.includes(body)).length,
      requests: (body) => [effect(body)],
    },
  ];
  return {
    settings: buildOauthSettings('monday', monday),
    failures: monday.failures,
    ledger: monday.ledger,
    async link(server) {
      await linkAccount(server, { provider: 'monday', source: 'monday' }, (url) =>
        monday.approve(url, { user: 'Ada' }),
      );
    },
    subjects,
    close: () => monday.close(),
  };
}
