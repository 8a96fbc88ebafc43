// Uploads to Drive: a text with its metadata. https://developers.google.com/workspace/drive/api/guides/manage-uploads
import { z } from 'zod';
import { buildMultipart } from '../multipart.ts';

export const fileName = z.string().trim().min(1).max(500);
export const fileContent = z.string().max(5_000_000);

/** The body of an upload, with the header that names its boundary. */
export function buildUpload(metadata: unknown, { content, mime_type }: { content: string; mime_type: string }) {
  return buildMultipart(metadata, { type: `${mime_type}; charset=UTF-8`, content });
}
