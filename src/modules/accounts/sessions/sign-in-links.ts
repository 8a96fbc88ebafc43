// Links that sign somebody in once.
import type { Db } from '#kernel/database';
import { issueSecret } from '#platform/one-time-secrets';
import { insertSignInLink, type Addressee } from '../store/sign-in-links.ts';

export const linkPurpose = 'sign_in_link';
const linkLivesMs = 15 * 60 * 1000;
/** How long an invitation's link can be used. */
export const joinLinkLivesMs = 3 * 24 * 60 * 60 * 1000;

export type SignInLink = { url: string; expiresAt: Date };

type NewLink = Addressee & {
  id: string;
  workspaceId: string;
  isHumanSurface: boolean;
  /** The key that created the link: a session from the link ends with the key. */
  madeByKey?: string | null;
  /** Whether the operator's terminal shows it. */
  byOperator?: boolean;
  /** The session in which it was created: the link ends with that session. */
  madeBySession?: string | null;
  mailed?: boolean;
  /** When the person who opens it proved who they are; default: by opening it. */
  provedAt?: Date | null;
  /** Whether the person who opens it may sign up. */
  signsUp?: boolean;
  /** Whether it belongs to an invitation, and joins the workspace. */
  isInvitation?: boolean;
  /** The page that it opens; default: the sign-in page. */
  opens?: `/${string}`;
  livesMs?: number;
  publicUrl: string;
  at: Date;
};

/** Creates a link that signs somebody in once, within 15 minutes by default. */
export async function makeSignInLink(db: Db, link: NewLink): Promise<SignInLink> {
  const { publicUrl, livesMs = linkLivesMs, opens = '/sign-in', ...grant } = link;
  const { id: subjectId, workspaceId, at } = link;
  const expiresAt = new Date(at.getTime() + livesMs);
  const secret = { purpose: linkPurpose, prefix: 'tl' as const, subjectId, workspaceId, at, expiresAt };
  const token = await issueSecret(db, secret);
  await insertSignInLink(db, {
    mailed: false,
    madeByKey: null,
    byOperator: false,
    madeBySession: null,
    provedAt: null,
    signsUp: false,
    isInvitation: false,
    ...grant,
  });
  // The token is in the fragment, so that it reaches no server log and no Referer header.
  return { url: `${publicUrl}${opens}#${token}`, expiresAt };
}
