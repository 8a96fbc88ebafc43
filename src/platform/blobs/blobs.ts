/** A store of large files by key. Keys are letters, digits, `-` and `/`. */
export type Blobs = {
  /** Stores the bytes of a file under a key. A key always has the same bytes, so storing twice changes nothing. */
  put(key: string, file: { path: string } | { bytes: Uint8Array }): Promise<void>;
  /** The bytes from a position on as a stream; null when the key does not exist. */
  open(key: string, start?: number): Promise<ReadableStream<Uint8Array> | null>;
  /** Removes the bytes of a key, if there are any. */
  remove(key: string): Promise<void>;
};

const keyForm = /^[a-z0-9-]{1,64}(\/[a-z0-9-]{1,128}){1,3}$/i;

/** Throws for a key that is not valid. */
export function checkKey(key: string): string {
  if (!keyForm.test(key)) throw new Error(`'${key}' is not a valid key of a blob`);
  return key;
}
