// The link with which a signed-in person proves that another mail address is theirs.
import type { Db } from '#kernel/database';
import { issueSecret, useSecret } from '#platform/one-time-secrets';

const purpose = 'mail_address';
const livesMs = 60 * 60 * 1000;

type AddressProof = { identityId: string; email: string; at: Date };

/** A link that works only for this person and this address. */
const formatBoundTo = ({ identityId, email }: AddressProof) => `${identityId} ${email}`;

/** Creates the link. Its token is in the URL's fragment, so that servers do not log it. */
export async function makeAddressLink(
  db: Db,
  proving: AddressProof & { id: string; workspaceId: string; publicUrl: string },
): Promise<string> {
  const { id: subjectId, workspaceId, publicUrl, email, at } = proving;
  const expiresAt = new Date(at.getTime() + livesMs);
  const secret = {
    purpose,
    prefix: 'ta' as const,
    subjectId,
    workspaceId,
    boundTo: formatBoundTo(proving),
    at,
    expiresAt,
  };
  return `${publicUrl}/account/address#${await issueSecret(db, secret)}/${encodeURIComponent(email)}`;
}

/** Uses up a link. False: it was used, has expired, or is for another person or address. */
export async function useAddressLink(db: Db, proving: AddressProof & { token: string }): Promise<boolean> {
  const { token: secret, at } = proving;
  return (await useSecret(db, purpose, { secret, boundTo: formatBoundTo(proving), at })) !== undefined;
}
