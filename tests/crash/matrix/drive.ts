import type { Account, GoogleEmulator } from '#emulators/google/index';
import type { Subject } from './upstream.ts';

const grace = 'grace@example.net';

export function createDriveSubjects(google: GoogleEmulator, { email, drive }: Account): Subject[] {
  const ids = new Map<string, string>();
  const called = (name: string) => [...drive.files.values()].filter((file) => file.name === name && !file.trashed);

  function seeded(name: string): { file_id: string } {
    const file = { name, mimeType: 'text/plain', content: 'text', createdBy: google.client.id };
    const { id } = google.seedFile(email, file);
    ids.set(name, id);
    return { file_id: id };
  }

  return [
    {
      name: 'drive create_file',
      handle: 'chosen_id',
      request: (name) => ({ source: 'drive', action_name: 'create_file', input: { name, content: 'text' } }),
      visible: (name) => called(name).length,
      requests: (name) => [
        { method: 'GET', path: /\/generateIds$/ },
        { method: 'POST', path: /\/upload\/drive/, body: new RegExp(name) },
      ],
    },
    {
      name: 'drive update_file',
      handle: 'state',
      request: (name) => ({
        source: 'drive',
        action_name: 'update_file',
        input: { ...seeded(`before ${name}`), name },
      }),
      visible: (name) => called(name).length,
      requests: (name) => [{ method: 'PATCH', path: /\/files\//, body: new RegExp(name) }],
    },
    {
      name: 'drive share_file',
      handle: 'state',
      request: (name) => ({
        source: 'drive',
        action_name: 'share_file',
        input: { ...seeded(name), email: grace, role: 'reader', notify: false },
      }),
      visible: (name) =>
        called(name).flatMap(({ permissions }) => permissions.filter(({ emailAddress }) => emailAddress === grace))
          .length,
      requests: (name) => [{ method: 'POST', path: new RegExp(`/files/${ids.get(name)}/permissions$`) }],
      edits: { role: 'writer' },
    },
  ];
}
