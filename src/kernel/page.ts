// What a source produces and a brain stores: a page, and its attached files.

/** The allowed values of frontmatter. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** A file of a page, as its source describes it. */
export type Attachment = {
  /** Its identity within the page, the same at every reading: `18c2f…/1.2`. */
  ref: string;
  filename: string;
  mime_type: string;
  /** In bytes. */
  size: number;
  /** The message that it was attached to. */
  message_id: string;
  /**
   * The handle by which its source fetches it. Only the source reads the handle, and it may differ at every reading.
   */
  handle: Record<string, Json>;
  /** The file itself, if the source included it. */
  content?: Uint8Array;
};

/** A page ready to be stored. */
export type NewPage = {
  /** Its identity within a brain, such as `gmail:ada@example.com:18c2f…`. */
  sourceRef: string;
  /** Its origin, from general to specific: `gmail:ada@example.com`. Null: made by this server. */
  source: string | null;
  type: string;
  title: string;
  body: string;
  frontmatter: Record<string, Json>;
  attachments?: Attachment[];
  author?: string | null;
  occurredAt: Date;
  /** Only for pages with a fixed slug; absent: made from the type, the title and the reference. */
  slug?: string;
  /** It grows gradually, as a conversation does: its former text is not kept as versions. */
  isGrowing?: boolean;
  /** It is stored once: an existing page with its `sourceRef` stays as it is, even a deleted one. */
  isOnce?: boolean;
  /** It was deleted at its source: an existing page is hidden, and no page is created. */
  isGone?: boolean;
};
