/**
 * A translator to start from for GitHub: issues, pull requests, comments, reviews, releases, pushes and discussions
 * become documents.
 */
export const githubStarter = `function translate({ body, headers }) {
  const kind = headers['x-github-event'];
  const where = body.repository?.full_name ?? body.organization?.login ?? 'github';
  const who = body.sender?.login;
  const base = { source_channel: where, source_user: who, type: kind, tags: [kind, body.action].filter(Boolean) };
  const document = (id, lines) => ({
    documents: [{ ...base, source_id: id, content: lines.filter(Boolean).join('\\n') }],
  });

  const item = body.issue ?? body.pull_request ?? body.discussion;
  if (kind === 'push' && body.commits?.length) {
    const commits = body.commits.map(({ id, message }) => '- ' + id.slice(0, 7) + ' ' + message.split('\\n')[0]);
    return document('push:' + body.after, [who + ' pushed to ' + where + ' (' + body.ref + ')', ...commits]);
  }
  if (kind === 'release' && body.release) {
    const { id, name, tag_name, body: notes } = body.release;
    return document('release:' + id, [where + ' released ' + (name || tag_name), notes]);
  }
  const said = body.comment ?? body.review;
  if (said && item) {
    const title = said.user?.login + ' on #' + item.number + ' ' + item.title + ' (' + where + ')';
    return document('comment:' + said.id, [title, said.body || said.state]);
  }
  if (item?.title) {
    const title = '#' + item.number + ' ' + item.title + ' (' + where + ')';
    return document(kind + ':' + item.id, [title, 'State: ' + (item.merged ? 'merged' : item.state), item.body]);
  }
  return { drop: true, drop_reason: 'The event ' + kind + ' says nothing to remember.' };
}
`;
