import { randomUUID } from 'node:crypto';

/** The body of an upload to Google: metadata and content; with the header that names its boundary. */
export function buildMultipart(metadata: unknown, { type, content }: { type: string; content: string }) {
  const boundary = `part-${randomUUID()}`;
  const body = [
    `--${boundary}`,
    'Content-Type: application/json; charset=UTF-8',
    '',
    JSON.stringify(metadata),
    `--${boundary}`,
    `Content-Type: ${type}`,
    '',
    content,
    `--${boundary}--`,
    '',
  ].join('\r\n');
  return { headers: { 'content-type': `multipart/related; boundary=${boundary}` }, body };
}
