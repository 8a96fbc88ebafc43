// The bytes of a file of Google Drive.
import { z } from 'zod';
import type { ReadBytes } from '#providers/http';
import type { Reader } from '#providers/reading';
import { driveApi } from './words.ts';

const handle = z.object({ file_id: z.string() });

/** Fetches a file as it is now (https://developers.google.com/workspace/drive/api/guides/manage-downloads). */
export function fetchDriveFile<T>(reader: Reader, found: unknown, maxBytes: number, read: ReadBytes<T>): Promise<T> {
  const { file_id } = handle.parse(found);
  const url = `${driveApi}/files/${encodeURIComponent(file_id)}?alt=media&supportsAllDrives=true`;
  return reader.stream({ method: 'GET', url, headers: {} }, maxBytes, read);
}
