import { startGitHubEmulator } from '#emulators/github/index';
import { linkAccount } from '../../support/linking.ts';
import { buildOauthSettings } from '#emulators/settings';
import type { Subject, Upstream } from './upstream.ts';

const repo = 'ada/engine';
const place = { owner: 'ada', repo: 'engine' };

export async function startGitHubUpstream(): Promise<Upstream> {
  const github = await startGitHubEmulator({ contentPerMinute: 100_000 });
  github.addUser({ login: 'ada' });
  github.addRepo({ owner: 'ada', name: 'engine', private: true });
  const { number } = github.seedIssue(repo, { author: 'ada', title: 'Commented' });
  const findIssue = () => github.issues(repo).find((issue) => issue.number === number);
  // An issue cannot be deleted there: an undo closes it.
  const titled = (title: string) =>
    github.issues(repo).filter((issue) => issue.title === title && issue.state === 'open').length;

  const subjects: Subject[] = [
    {
      name: 'github create_issue',
      handle: 'mark',
      request: (title) => ({ source: 'github', action_name: 'create_issue', input: { ...place, title } }),
      visible: titled,
      requests: (title) => [{ method: 'POST', path: /\/issues$/, body: new RegExp(title) }],
    },
    {
      name: 'github update_issue',
      handle: 'state',
      request(title) {
        const issue = github.seedIssue(repo, { author: 'ada', title: `before ${title}` });
        return { source: 'github', action_name: 'update_issue', input: { ...place, number: issue.number, title } };
      },
      visible: titled,
      requests: (title) => [{ method: 'PATCH', body: new RegExp(title) }],
    },
    {
      name: 'github create_comment',
      handle: 'mark',
      request: (body) => ({ source: 'github', action_name: 'create_comment', input: { ...place, number, body } }),
      visible: (body) => (findIssue()?.comments ?? []).filter((comment) => comment.body.startsWith(body)).length,
      requests: (body) => [{ method: 'POST', path: /\/comments$/, body: new RegExp(body) }],
    },
    {
      name: 'github update_comment',
      handle: 'state',
      request(body) {
        const { id } = github.seedComment(repo, number, { author: 'ada', body: `before ${body}` });
        return { source: 'github', action_name: 'update_comment', input: { ...place, comment_id: id, body } };
      },
      visible: (body) => (findIssue()?.comments ?? []).filter((comment) => comment.body === body).length,
      requests: (body) => [{ method: 'PATCH', path: /\/comments\//, body: new RegExp(body) }],
    },
  ];
  return {
    settings: buildOauthSettings('github', github),
    failures: github.failures,
    ledger: github.ledger,
    async link(server) {
      await linkAccount(server, { provider: 'github', source: 'github' }, (url) =>
        github.approve(url, { login: 'ada' }),
      );
    },
    subjects,
    close: () => github.close(),
  };
}
