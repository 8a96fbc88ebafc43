import { startLinearEmulator } from '#emulators/linear/index';
import { linkAccount } from '../../support/linking.ts';
import { buildOauthSettings } from '#emulators/settings';
import type { Subject, Upstream } from './upstream.ts';

export async function startLinearUpstream(): Promise<Upstream> {
  const linear = await startLinearEmulator();
  linear.addUser({ name: 'Ada' });
  linear.addTeam({ key: 'ENG' });
  const path = '/graphql';
  const issue = linear.seedIssue('ENG', { title: 'Commented', creator: 'Ada' });
  const identifier = `ENG-${issue.number}`;
  const titled = (title: string) => linear.issues('ENG').filter((each) => each.title === title && !each.trashed).length;

  const subjects: Subject[] = [
    {
      name: 'linear create_issue',
      handle: 'chosen_id',
      request: (title) => ({ source: 'linear', action_name: 'create_issue', input: { team: 'ENG', title } }),
      visible: titled,
      requests: (title) => [
        { path, body: /teams\(filter/ },
        { path, body: new RegExp(`issueCreate.*${title}`, 's') },
      ],
    },
    {
      name: 'linear update_issue',
      handle: 'state',
      request(title) {
        const { number } = linear.seedIssue('ENG', { title: `before ${title}`, creator: 'Ada' });
        return { source: 'linear', action_name: 'update_issue', input: { issue: `ENG-${number}`, title } };
      },
      visible: titled,
      requests: (title) => [
        { path, body: /query.*\bissue\(id: \$id\).*updatedAt/s },
        { path, body: new RegExp(`issueUpdate.*${title}`, 's') },
      ],
    },
    {
      name: 'linear create_comment',
      handle: 'chosen_id',
      request: (body) => ({ source: 'linear', action_name: 'create_comment', input: { issue: identifier, body } }),
      visible: (body) => linear.comments(identifier).filter((comment) => comment.body === body).length,
      requests: (body) => [
        { path, body: new RegExp(identifier) },
        { path, body: new RegExp(`commentCreate.*${body}`, 's') },
      ],
    },
    {
      name: 'linear update_comment',
      handle: 'state',
      request(body) {
        const { id } = linear.seedComment(identifier, { user: 'Ada', body: `before ${body}` });
        return { source: 'linear', action_name: 'update_comment', input: { comment_id: id, body } };
      },
      visible: (body) => linear.comments(identifier).filter((comment) => comment.body === body).length,
      requests: (body) => [{ path, body: new RegExp(`commentUpdate.*${body}`, 's') }],
    },
  ];
  return {
    settings: buildOauthSettings('linear', linear),
    failures: linear.failures,
    ledger: linear.ledger,
    async link(server) {
      await linkAccount(server, { provider: 'linear', source: 'linear' }, (url) =>
        linear.approve(url, { user: 'Ada' }),
      );
    },
    subjects,
    close: () => linear.close(),
  };
}
