// The source of an item, in three levels: platform, channel, identity.

export type Source = { platform: string; channel: string | null; user: string | null };

/** `platform:channel:identity`, as in `source_label` and in search filters. Unknown levels are omitted. */
export function formatSourceLabel({ platform, channel, user }: Source): string {
  return [platform, channel, user].filter((level) => level !== null).join(':');
}

/** Platforms and channels of mail: there a thread is one item, which each reply updates. */
const mail = new Set(
  'gmail google_mail googlemail outlook office365 exchange email e-mail mail imap icloud yahoo fastmail proton hotmail'.split(
    ' ',
  ),
);

export function isMail({ platform, channel }: Source): boolean {
  return [platform, channel].some((level) => level !== null && mail.has(level.toLowerCase()));
}

/**
 * The address of a sender: `Ada <ada@example.com>` and `ada@example.com` are equal. Otherwise the whole text, in lower
 * case.
 */
export function normalizeSender(user: string | null): string | null {
  if (user === null) return null;
  return (user.split(/[\s<>"]+/).find((word) => /.@./.test(word)) ?? user).trim().toLowerCase();
}

/** The domain of a sender's address; null: it is not an address. */
export function findSenderDomain(user: string | null): string | null {
  const sender = normalizeSender(user);
  return sender?.includes('@') ? (sender.split('@').at(-1) ?? null) : null;
}

/** `#Sales`, `sales` and ` SALES` are one channel. */
export function normalizeChannel(channel: string): string {
  return channel.trim().replace(/^#/, '').toLowerCase();
}
