// The attendees of an event and their replies, from its page: addresses are in the frontmatter, replies beside the
// names in the body.
const replies: Readonly<Record<string, 'accepted' | 'declined' | 'maybe'>> = {
  accepted: 'accepted',
  declined: 'declined',
  maybe: 'maybe',
  tentative: 'maybe',
};

/** The attendees of an event in the order of its page. */
export function listAttendees(emails: unknown, body: string) {
  const line = /^Attendees: (.*)$/m.exec(body)?.[1] ?? '';
  const known = Array.isArray(emails) ? emails.filter((email) => typeof email === 'string') : [];
  return known.map((email) => {
    const at = line.indexOf(email);
    const said = at === -1 ? '' : (/^>?\s*\(([^()]*)\)/.exec(line.slice(at + email.length))?.[1] ?? '');
    return { email, rsvp: replies[said] ?? ('none' as const) };
  });
}
