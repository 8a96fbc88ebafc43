// Uploads the files of a draft to an unsent mail: small ones in one request, others piece by piece to an upload address
// of Graph. https://learn.microsoft.com/graph/outlook-large-attachments
import { z } from 'zod';
import { type AttachedFile, type FileBytes, readFile } from '#providers/writing';
import { writePath, nothing, type ProviderApi } from '#providers/http';

/** The most files of one Outlook mail. */
export const mostAttached = { provider: 'Outlook', mostBytes: 25_000_000 };

const smallBelow = 3_000_000;
/** A piece is a multiple of 320 KiB, and below 4 MB. */
const pieceBytes = 10 * 327_680;

/** Attaches the files in order. Throws when a file differs from the approved one, or is refused. */
export async function attachFiles(
  api: ProviderApi,
  { messageId, headers }: { messageId: string; headers: Readonly<Record<string, string>> },
  files: readonly AttachedFile[],
): Promise<void> {
  const path = writePath`/me/messages/${messageId}/attachments`;
  for (const [position, described] of files.entries()) {
    const { filename: name, mime_type: contentType, size } = described;
    const file = await readFile(api.reach, described, position);
    if (size < smallBelow) {
      const contentBytes = file.bytes.toString('base64');
      const body = { '@odata.type': '#microsoft.graph.fileAttachment', name, contentType, contentBytes };
      await api.write(nothing, { method: 'POST', path, headers, body });
    } else {
      const body = { AttachmentItem: { attachmentType: 'file', name, contentType, size } };
      const session = { method: 'POST', path: `${path}/createUploadSession`, headers, body } as const;
      const { uploadUrl } = await api.write(z.object({ uploadUrl: z.string() }), session);
      await sendPieces(api, uploadUrl, file);
    }
  }
}

/**
 * Each piece states its position (RFC 9110, section 14.4); the address is a secret, and is used without the account's
 * token.
 */
async function sendPieces({ reach }: ProviderApi, address: string, { bytes }: FileBytes): Promise<void> {
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    const piece = bytes.subarray(from, from + pieceBytes);
    const headers = {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${from}-${from + piece.length - 1}/${bytes.length}`,
    };
    await reach.client.send(reach.link, { method: 'PUT', handedOut: address, headers, body: piece });
  }
}
