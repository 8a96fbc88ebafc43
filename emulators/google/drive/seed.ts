// Puts files into a drive without a client.
import type { Account } from '../accounts.ts';
import { putFile } from './store.ts';
import type { FileInput, StoredFile } from './store.ts';

/** A file to seed. `folder` is the id of a folder in the same drive. */
export type SeedFile = Omit<FileInput, 'owner' | 'ownerName' | 'content' | 'parents'> & {
  content?: string | Uint8Array;
  folder?: string;
};

/** Seeds one file, by default in My Drive. */
export function seedFile(account: Account, input: SeedFile, now: Date): StoredFile {
  const { content, folder, ...rest } = input;
  return putFile(
    account.drive,
    {
      ...rest,
      owner: account.email,
      ownerName: account.name,
      ...(content === undefined ? {} : { content: typeof content === 'string' ? Buffer.from(content) : content }),
      ...(folder ? { parents: [folder] } : {}),
    },
    now,
  );
}
