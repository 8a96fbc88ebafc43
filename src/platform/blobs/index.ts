import { join } from 'node:path';
import type { Egress } from '#platform/egress';
import type { Blobs } from './blobs.ts';
import { createFolderBlobs } from './folder-blobs.ts';
import { createS3Blobs, type S3Settings } from './s3-blobs.ts';

export type { Blobs } from './blobs.ts';

/** Opens the store from the settings: a bucket, or else a folder in the data directory. */
export function createBlobs(egress: Egress, { dataDir, s3 }: { dataDir: string; s3: S3Settings | null }): Blobs {
  return s3 ? createS3Blobs(egress, s3) : createFolderBlobs(join(dataDir, 'blobs'));
}
