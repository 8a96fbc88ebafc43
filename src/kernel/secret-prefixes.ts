/**
 * The prefixes of every secret that this server issues, before the underscore: credentials of callers, one-time secrets, tokens. A
 * secret cannot be issued with another prefix, so the log and the masks of training data know all of them.
 */
export const secretPrefixes = [
  'bf', // form of a board
  'cm', // key
  'dq', // answer to a question about a draft
  'oa', // state of an account that is being linked
  'pc', // challenge for a passkey
  'pr', // result of the OAuth playground
  'secret', // secret of an OAuth client
  'sf', // second step of a sign-in
  'si', // state of a sign-in at a provider
  'sp', // state of the OAuth playground
  'sv', // link to set variables
  'ta', // link that proves an address
  'tc', // session handed over to another address of the server
  'td', // download of a file
  'tg', // link to a phone
  'tl', // sign-in link
  'to', // access token
  'tp', // proof of a session
  'tr', // refresh token
  'ts', // session
  'zfeed', // feed of events
  'zp', // platform key
  'zwh', // connector
] as const;
export type SecretPrefix = (typeof secretPrefixes)[number];

/** Finds our secrets inside a text; the first group is the prefix. A test compares it with the list. */
export const ownSecrets =
  /\b(bf|cm|dq|oa|pc|pr|secret|sf|si|sp|sv|ta|tc|td|tg|tl|to|tp|tr|ts|zfeed|zp|zwh)_[A-Za-z0-9_-]{16,}/g;
