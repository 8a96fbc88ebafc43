// How a provider's REST or GraphQL API is read, as data: a new one is a file of this form, without code.
import type { Endpoint } from '../executor/endpoint.ts';
import type { SourceScope } from '../sources/source.ts';

/** An endpoint below the API's base URL. Placeholders: `item`, `since`, `until`, `page`, and what `each` and `detail` are called. */
export type Call = Omit<Endpoint, 'url'> & { path: string };

/** Where the next page of a list is told. Paths are of dots: `response_metadata.next_cursor`, `'@odata.nextLink'`; the empty one
 * is the whole. */
export type Paging =
  | { by: 'none' }
  /** In the `Link` header (RFC 8288), as the next URL. */
  | { by: 'link' }
  /** In the answer, as the next URL. */
  | { by: 'url'; at: string }
  /** In the answer; the next call has it as `{{page}}`. */
  | { by: 'token'; at: string; while?: Condition };

/** A list: the call that answers a page of it, and where the items stand in the answer. */
export type Listing = { call: Call; items: string; paging: Paging };

/** A value that says something: there, or one of these. */
export type Condition = {
  at: string;
  isOneOf?: readonly (string | number | boolean)[];
  isNot?: readonly (string | number | boolean)[];
};

/** How an item becomes a page. Texts have placeholders; what has no value is left out. */
export type PageTemplate = {
  type: string;
  /** Its identity at the provider. */
  ref: string;
  title: string;
  /** Blocks with an empty line between them; one whose placeholders all have no value is left out. */
  body: readonly string[];
  /** For each of a list, such as comments, but for the first `skip`: what is written about it, after the body. */
  parts?: { of: string; as: string; text: string; skip?: number };
  frontmatter: Readonly<Record<string, string>>;
  author: string;
  occurredAt: string;
  /** What says that it is gone. */
  goneWhen?: Condition;
};

/** Files that come with an item, known as `{{files.…}}`, and each as `{{file.…}}` where it is told how one is named and asked for. */
export type Files = {
  when?: Condition;
  listing: Listing;
  /** Those of the list that are files. */
  only?: Condition;
  /** Its identity among the files of the item, which lasts. */
  id: string;
  name: string;
  type: string;
  /** In bytes. */
  size: string;
  /** Answers the bytes themselves. */
  content: Call;
};

/** One kind of thing that is read. */
export type Stream = {
  name: string;
  /** It is read once for each of these, such as channels; a call has the one as `{{<as>.…}}`. */
  each?: { listing: Listing; as: string; id: string; only?: Condition };
  listing: Listing;
  /**
   * What tells changes from what is known: where an item says when it changed, and how `{{since}}` is written.
   * `overlapDays`: so much is read again each time, for what changes without saying so. `isNewestFirst`: the list cannot be
   * asked for what has changed alone, and ends for us where it gets older than what is known.
   */
  since: { at: string; as: 'iso' | 'seconds'; overlapDays?: number; isNewestFirst?: boolean };
  /** Where the end of the list tells the address at which changes are asked from then on. */
  changesAt?: string;
  /** Asked for each item that it concerns, and known as `{{<as>.…}}`. */
  details?: readonly { when?: Condition; listing: Listing; as: string }[];
  files?: Files;
  /** Lists that are read once, for names: `{{users.[item.user]}}` is the name of the one with that id. */
  lookups?: readonly { as: string; listing: Listing; id: string; name: string }[];
  /** Items that are nothing of their own. */
  leaveOut?: Condition;
  page: PageTemplate;
};

/** A provider's API, as it is read. */
export type Descriptor = {
  name: string;
  label: string;
  description: string;
  /** Whose accounts it is linked with, as `modules/connections` names it. */
  provider: string;
  scopes: readonly SourceScope[];
  api: {
    baseUrl: string;
    headers?: Readonly<Record<string, string>>;
    /** Where an answer of 200 says that it is a refusal (Slack, GraphQL). */
    refusedWhen?: Condition;
  };
  streams: readonly Stream[];
};
