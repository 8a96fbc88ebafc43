// A provider of accounts, as data only. Every value here can be written as JSON.

/** A JSON value that may contain names in braces, such as `{token}`. */
export type Template = string | number | boolean | null | readonly Template[] | { readonly [name: string]: Template };

/**
 * A request as data. Names in braces are filled in: `{token}`, `{client_id}`, `{client_secret}` and `{basic}`, which is
 * client id and secret for HTTP Basic. In the URL they are percent-encoded.
 */
export type RequestFacts = {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers?: Readonly<Record<string, string>>;
  form?: Readonly<Record<string, string>>;
  json?: Template;
};

/**
 * The request for the owner of a token. `accountId` and `account` are texts with paths into the answer in braces, such
 * as `{viewer.email}`; the first one whose paths all exist is used. `isOkAt` is a path that must be true, for providers
 * that report refusals with status 200; `errorsAt` is a path that must be absent.
 */
export type IdentityFacts = {
  request: RequestFacts;
  accountId: readonly string[];
  account: readonly string[];
  isOkAt?: string;
  errorsAt?: string;
  /** The header of the answer that says when a pasted token expires. */
  tokenEndsAtHeader?: string;
};

/**
 * How people sign in with an account of the provider: the id in the answer to `identity`. An address counts only if the
 * provider says that it is verified; absent: no address counts.
 */
export type SignInFacts = {
  /** Whose OAuth client may be used: only the server's, or also a workspace's own. */
  clients: 'server' | 'any';
  /** The paths of the account's id and of its visible name in the answer. */
  subject: string;
  account: readonly string[];
  address?: { email: string; isVerifiedAt: string };
  /** The path of the addresses in a separate answer: a list of `{email, primary, verified}`. */
  addresses?: RequestFacts;
  /** Scopes in addition to those that are always requested. */
  scopes?: readonly string[];
  /** Parameters of the consent page that replace those used for linking. */
  authorizeParams?: Readonly<Record<string, string>>;
};

/**
 * How a token is sent to the provider's API. `path` puts it at `{token}` of the URL; with `url` the token is the URL
 * itself.
 */
export type Placement =
  | { in: 'header'; name: string; value: string }
  | { in: 'query'; name: string }
  | { in: 'path' }
  | { in: 'url' }
  | { in: 'nowhere' };

/** Where a person revokes access that this server cannot revoke. */
export type OwnPage = { label: string; url: string };

/**
 * The token and the request that revoke access at the provider; null when it has no such request.
 */
export type RevokeFacts = { token: 'access' | 'refresh'; request: RequestFacts; isOkAt?: string };

export type OAuthFacts = {
  issuer: string;
  authorizeUrl: string;
  tokenUrl: string;
  tokenAuthMethod: 'client_secret_post' | 'client_secret_basic' | 'none';
  /** The format of parameters at the token endpoint. */
  tokenBody: 'form' | 'json';
  usesPkce: boolean;
  scopes: {
    /** The parameter of the consent page for scopes, and the separator between them. */
    parameter: string;
    separator: string;
    /** Scopes for every source, to identify the account and to renew the token. */
    always: readonly string[];
    /** Whether the provider itself keeps scopes that were granted before; otherwise they are requested again. */
    addsUp: boolean;
    /** A prefix that scope names have in answers, but not in requests. */
    prefix?: string;
  };
  /** Further parameters of the consent page, and of the token endpoint. */
  authorizeParams: Readonly<Record<string, string>>;
  tokenParams: Readonly<Record<string, string>>;
  /** Headers that the token endpoint requires. */
  tokenHeaders: Readonly<Record<string, string>>;
  /**
   * Whether it issues refresh tokens: always, never, or depending on the client's configuration there. Never: its
   * tokens do not expire.
   */
  refreshTokens: 'always' | 'as_configured' | 'never';
  /** The path of the tokens in the answer, when they are not at the top level. */
  tokensAt: string | null;
  /** Error codes that mean a revoked grant, in addition to `invalid_grant`. */
  grantEndedBy: readonly string[];
  revoke: RevokeFacts | null;
  /** A note for people about how long access lasts. */
  lifetimeNote: string | null;
  /** Where a person creates a client, and what to enter there. */
  setup: { url: string; steps: readonly string[] };
};

/** A secret that a person makes at the provider and pastes here. */
export type TokenFacts = {
  /** The provider's name for the token. */
  label: string;
  /** Where a person creates it; null if people know where. */
  url: string | null;
  steps: readonly string[];
  /**
   * The format of all tokens, as a regular expression and in words, so that a typing error is found before any request.
   */
  form: { pattern: string; says: string } | null;
  /** Further fields of the form. */
  fields: readonly ('url' | 'header')[];
  isTokenOptional: boolean;
  revoke: RevokeFacts | null;
};

export type Provider = {
  name: string;
  label: string;
  /** The hosts of its API: tokens go to these hosts and their subdomains only. Empty: any address. */
  apiDomains: readonly string[];
  oauth: OAuthFacts | null;
  token: TokenFacts | null;
  /** How an OAuth token, and a pasted token, is sent to the API. */
  placement: { oauth: Placement; token: Placement };
  /** Null when the address itself is the account. */
  identity: IdentityFacts | null;
  /** The identity request for a pasted token, where it differs. */
  tokenIdentity?: IdentityFacts;
  /** Absent: nobody can sign in to the console with it. */
  signIn?: SignInFacts;
  ownPage: OwnPage | null;
};

/** The default: most providers accept a bearer token (RFC 6750). */
export const bearer: Placement = { in: 'header', name: 'authorization', value: 'Bearer {token}' };
