// What a provider of accounts is: facts and nothing else. Every value here can be written as JSON.

/** A JSON value that may hold names in braces, such as `{token}`. */
export type Template = string | number | boolean | null | readonly Template[] | { readonly [name: string]: Template };

/**
 * A request as data. Names in braces are filled in: `{token}`, `{client_id}`, `{client_secret}` and `{basic}`, which is
 * client id and secret as HTTP Basic wants them. In the URL they are percent-encoded.
 */
export type RequestFacts = {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  json?: Template;
};

/**
 * Asks whose account a token belongs to. `accountId` and `account` are texts with paths into the answer in braces, such as
 * `{viewer.email}`; the first one whose paths are all there counts. `isOkAt` is a path that must be true, where a provider
 * answers 200 for a refusal; `errorsAt` is one that must be absent.
 */
export type IdentityFacts = {
  request: RequestFacts;
  accountId: readonly string[];
  account: readonly string[];
  isOkAt?: string;
  errorsAt?: string;
};

/**
 * How people sign in with an account of the provider: by its id in the answer to `identity`. An address counts only where the provider says
 * that it has checked it; absent, it says so of none.
 */
export type SignInFacts = {
  /** Whose OAuth client may be used: the server's, or a workspace's own too. */
  clients: 'server' | 'any';
  /** Where the answer tells the account's id, and how people know the account. */
  subject: string;
  account: readonly string[];
  address?: { email: string; isVerifiedAt: string };
  /** Where the addresses stand in an answer of their own: a list of `{email, primary, verified}`. */
  addresses?: RequestFacts;
  /** Scopes beside those that are always asked for. */
  scopes?: readonly string[];
  /** Parameters of the consent page, in the place of those that linking uses. */
  authorizeParams?: Readonly<Record<string, string>>;
};

/** How an access is handed to the provider's API. `path` puts it at `{token}` of the URL, `url` is the URL itself. */
export type Placement =
  | { in: 'header'; name: string; value: string }
  | { in: 'query'; name: string }
  | { in: 'path' }
  | { in: 'url' }
  | { in: 'nowhere' };

/** Where a person ends an access by themself, when it can not be ended from here. */
export type OwnPage = { label: string; url: string };

/** How the provider is told that an access ends: with which of the tokens, and by which request; null when it can not be told. */
export type RevokeFacts = { token: 'access' | 'refresh'; request: RequestFacts; isOkAt?: string };

export type OAuthFacts = {
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  tokenAuthMethod: 'client_secret_post' | 'client_secret_basic' | 'none';
  /** How the token endpoint wants its parameters. */
  tokenBody: 'form' | 'json';
  usesPkce: boolean;
  scopes: {
    /** The parameter of the consent page that carries them, and what stands between them. */
    parameter: string;
    separator: string;
    /** Asked for with every source, to learn whose account it is and to renew the access. */
    always: readonly string[];
    /** Whether the provider itself adds what was granted before; otherwise it is asked for again. */
    addsUp: boolean;
    /** What stands before the names of scopes in answers, and not in requests. */
    prefix?: string;
  };
  /** Further parameters of the consent page, and of the token endpoint. */
  authorizeParams: Readonly<Record<string, string>>;
  tokenParams: Readonly<Record<string, string>>;
  /** Headers that the token endpoint wants. */
  tokenHeaders: Readonly<Record<string, string>>;
  /** Whether it gives refresh tokens: always, never, or as the client was set up there. Never: its tokens do not end. */
  refreshTokens: 'always' | 'as_configured' | 'never';
  /** Where the tokens stand in the answer, when it is not at its top. */
  tokensAt: string | null;
  /** Words by which it says that a grant is over, beside `invalid_grant`. */
  grantEndedBy: readonly string[];
  revoke: RevokeFacts | null;
  /** What a person should know about how long an access lives. */
  lifetimeNote: string | null;
  /** Where a client is set up, and what to enter there. */
  setup: { url: string; steps: readonly string[] };
};

/** A secret that a person makes at the provider and pastes here. */
export type TokenFacts = {
  /** What the provider calls it. */
  label: string;
  /** Where a person makes it; null for what a person knows where to find. */
  url: string | null;
  steps: readonly string[];
  /** What all tokens look like, as a regular expression and in words, so that a slip is told before anything is sent. */
  form: { pattern: string; says: string } | null;
  /** What else is asked for. */
  fields: readonly ('url' | 'header')[];
  isTokenOptional: boolean;
  revoke: RevokeFacts | null;
};

export type Provider = {
  name: string;
  label: string;
  /** Where its API is: an access goes to these hosts, and those below them. Empty for addresses of any kind. */
  apiDomains: readonly string[];
  oauth: OAuthFacts | null;
  token: TokenFacts | null;
  /** How an OAuth access, and how a pasted token, is handed to the API. */
  placement: { oauth: Placement; token: Placement };
  /** Null for addresses of any kind: the account is then the address itself. */
  identity: IdentityFacts | null;
  /** Identity of a pasted token, where it is asked differently. */
  tokenIdentity?: IdentityFacts;
  /** Absent: nobody signs in to the console by it. */
  signIn?: SignInFacts;
  ownPage: OwnPage | null;
};

/** What is sent as it is: most providers want a bearer token (RFC 6750). */
export const bearer: Placement = { in: 'header', name: 'authorization', value: 'Bearer {token}' };
