// Files of a mail: their metadata in the draft, and their bytes when it is sent.
import { createHash } from 'node:crypto';
import { AppError } from '#kernel/errors';
import { z } from 'zod';
import type { Reach } from '#providers/http';

/** A file in a draft: the hash binds the bytes, which are stored separately. */
const attached = z.strictObject({
  filename: z.string().min(1).max(255),
  mime_type: z.string().min(1).max(255),
  size: z.number().int().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type AttachedFile = z.output<typeof attached>;

/** The most files of one mail. */
export const mostFiles = 5;

/** The schema of a mail's files. `mostBytes`: the provider's limit for all files together. */
export function createFilesSchema(mostBytes: number, provider: string) {
  return z
    .array(attached)
    .max(mostFiles)
    .superRefine((files, issues) => {
      const size = sumBytes(files);
      if (size <= mostBytes) return;
      const message = `are ${formatSize(size)} together, and ${provider} sends at most ${formatSize(mostBytes)} with a mail`;
      issues.addIssue({ code: 'custom', message });
    })
    .optional()
    .describe('Do not pass files here: attachments and attach_from_page of act_on_integration go beside input.');
}

/** The files of a draft. */
export function getFiles(payload: Readonly<Record<string, unknown>>): readonly AttachedFile[] {
  return (payload['attachments'] ?? []) as AttachedFile[]; // parsed by the schema of the action
}

/** Their total size. */
export function sumBytes(files: readonly AttachedFile[] = []): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Every file with its size, as a person reads it. */
export function describeFiles(files: readonly AttachedFile[] = []): string {
  return files.map(({ filename, size, mime_type }) => `${filename} (${formatSize(size)}, ${mime_type})`).join('\n');
}

/** A file with its bytes. */
export type FileBytes = { filename: string; mimeType: string; bytes: Buffer };

/** The bytes of all approved files. Throws when they differ from the draft. */
export async function readFiles(reach: Reach, files: readonly AttachedFile[] = []): Promise<FileBytes[]> {
  const read: FileBytes[] = [];
  for (const [position, file] of files.entries()) read.push(await readFile(reach, file, position));
  return read;
}

/** One of these files, by position. */
export async function readFile(
  { file }: Reach,
  { filename, mime_type: mimeType, sha256 }: AttachedFile,
  position: number,
): Promise<FileBytes> {
  const bytes = await file(position);
  if (!bytes || createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new AppError('conflict', `The file ${filename} is not kept any more. Draft the mail again with it.`);
  return { filename, mimeType, bytes };
}

export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
