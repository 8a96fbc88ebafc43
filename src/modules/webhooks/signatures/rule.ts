// The signature rules of senders, as data.

/** A part of the signed text. Other texts are used literally. */
type SignedPart = 'body' | 'timestamp' | 'method' | 'url' | { text: string };

/** Where the timestamp is: in a header, in a part of the signature's header, or in a field of the JSON body. */
type TimeSource = { header: string } | { part: string } | { field: string };

/** How a signature is checked. */
export type Rule =
  | {
      kind: 'hmac';
      hash: 'sha1' | 'sha256';
      /** The encoding of the secret, if the text is not itself the key. */
      key?: 'hex' | 'base64';
      /** The first of these that is present. */
      headers: readonly string[];
      encoding: 'hex' | 'base64';
      /** The prefix of the signature. With `isPrefixOptional` it may be absent. */
      prefix?: string;
      isPrefixOptional?: boolean;
      /** The separator of several signatures or parts in the header. */
      separator?: string;
      signed: readonly SignedPart[];
      moment?: { at: TimeSource; unit: 'seconds' | 'milliseconds'; toleranceSeconds: number };
    }
  | { kind: 'standard'; toleranceSeconds: number }
  | { kind: 'token'; headers: readonly string[] }
  | { kind: 'ed25519'; signature: string; timestamp: string; toleranceSeconds: number }
  /**
   * Twilio's: HMAC-SHA1 over the address and the sorted form fields; for other bodies over the address, which contains
   * their hash.
   */
  | { kind: 'address_and_form'; header: string; bodyHash: string }
  | { kind: 'none' };

/** A request as received. */
export type SignedRequest = {
  method: string;
  /** The whole address, as the sender knows it. */
  url: string;
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The bytes that were sent, before any unpacking. */
  body: Buffer;
  at: Date;
};
