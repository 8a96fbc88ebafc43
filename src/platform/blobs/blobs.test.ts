import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgress } from '#platform/egress';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBlobs } from './index.ts';

const key = '0192b1c4-0000-7000-8000-000000000001/abc123';
const bytes = new Uint8Array(300_000).map((_, at) => at % 251);
const egress = createEgress({ allow: [] });
let folder: string;
let server: S3rver;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  const directory = join(folder, 's3');
  server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'files' }],
  });
  const { port } = await server.run();
  url = `http://127.0.0.1:${port}/files`;
});
afterAll(async () => {
  await server.close();
  await egress.close();
  await rm(folder, { recursive: true });
});

const buildS3Settings = (keyId = 'S3RVER') => ({ url, region: 'us-east-1', keyId, secret: 'S3RVER' });
const createStores = () => ({
  'a folder': createBlobs(egress, { dataDir: join(folder, 'data'), s3: null }),
  'an S3 bucket': createBlobs(egress, { dataDir: folder, s3: buildS3Settings() }),
});
const read = async (stream: ReadableStream<Uint8Array> | null) =>
  stream && new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());

test.for(['a folder', 'an S3 bucket'] as const)(
  'the store %s keeps a blob, returns it and removes it',
  async (name) => {
    const blobs = createStores()[name];
    expect(await blobs.open(key)).toBeNull();
    await blobs.put(key, { bytes });
    await blobs.put(key, { bytes });
    expect(await read(await blobs.open(key))).toEqual(bytes);
    expect(await read(await blobs.open(key, 299_990))).toEqual(bytes.subarray(299_990));
    await blobs.remove(key);
    await blobs.remove(key);
    expect(await blobs.open(key)).toBeNull();
  },
);

test('a key that leaves the store is refused', async () => {
  await expect(createStores()['a folder'].put('a/../../etc', { bytes })).rejects.toThrow('is not a valid key');
});

test('a failed write leaves no partial blob', async () => {
  const blobs = createStores()['a folder'];
  await expect(blobs.put('w/one', { path: join(folder, 'missing') })).rejects.toThrow('ENOENT');
  expect(await readdir(join(folder, 'data', 'blobs', 'w'))).toEqual([]);
});

test('a bucket that refuses the key is reported as unavailable, without the secret', async () => {
  const blobs = createBlobs(egress, { dataDir: folder, s3: buildS3Settings('nobody') });
  await expect(blobs.put(key, { bytes })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.not.stringContaining('S3RVER'),
  });
});
