// Blobs as objects of an S3-compatible bucket. Requests are signed by Signature Version 4 and go through egress.
import { trimLetters } from '#kernel/trim-end';
import { readFile } from 'node:fs/promises';
import { AppError } from '#kernel/errors';
import type { Egress } from '#platform/egress';
import { AwsV4Signer } from 'aws4fetch';
import { checkKey, type Blobs } from './blobs.ts';

/** `url`: the bucket, by path or by host: `https://s3.example.com/files`. */
export type S3Settings = { url: string; region: string; keyId: string; secret: string };

const timeoutMs = 120_000;
const mostBytes = 200_000_000;

/** Opens a bucket. Sends no request before the first call. */
export function createS3Blobs(egress: Egress, { url, region, keyId, secret }: S3Settings): Blobs {
  async function signed(
    method: 'GET' | 'PUT' | 'DELETE' | 'HEAD',
    key: string,
    { body, start = 0 }: { body?: Uint8Array<ArrayBuffer>; start?: number } = {},
  ) {
    const signer = new AwsV4Signer({
      method,
      url: `${trimLetters(url, '/')}/${checkKey(key)}`,
      accessKeyId: keyId,
      secretAccessKey: secret,
      service: 's3',
      region,
      ...(body && { body }),
      ...(start > 0 && { headers: { range: `bytes=${start}-` } }),
    });
    const request = await signer.sign();
    return {
      method,
      url: request.url.href,
      headers: Object.fromEntries(request.headers),
      timeoutMs,
      redirects: 'refuse' as const,
      allow: [url],
      secrets: [secret],
      ...(body && { body }),
    };
  }

  return {
    async put(key, file) {
      const bytes = 'bytes' in file ? Uint8Array.from(file.bytes) : new Uint8Array(await readFile(file.path));
      const known = await egress.request(await signed('HEAD', key));
      if (known.status === 200) return;
      const { status } = await egress.request(await signed('PUT', key, { body: bytes }));
      if (status < 200 || status > 299) throw createStoreUnavailableError(status);
    },
    async open(key, start = 0) {
      const { status, body } = await egress.stream({ ...(await signed('GET', key, { start })), maxBytes: mostBytes });
      if (status === (start > 0 ? 206 : 200)) return body;
      await body.cancel();
      if (status === 404) return null;
      throw createStoreUnavailableError(status);
    },
    async remove(key) {
      const { status } = await egress.request(await signed('DELETE', key));
      if (status > 299 && status !== 404) throw createStoreUnavailableError(status);
    },
  };
}

function createStoreUnavailableError(status: number): AppError {
  return new AppError(
    'unavailable',
    `The file store answered ${status}. Try again. The operator checks THALAMUS_BLOBS_S3_….`,
  );
}
