import { ruleNamesOf } from '#kernel/check-rules';
import { defineModule } from '#kernel/module';
import type { Ground } from '#platform';
import { dropExpiredSecrets } from '#platform/one-time-secrets';
import { keyResource, signedInResource, workspaceResource } from './ids.ts';
import { keysOfBrain } from './leave-brain.ts';
import { createKey } from './operations/create-key.ts';
import { createSignInLink } from './operations/create-sign-in-link.ts';
import { endSession } from './operations/end-session.ts';
import { listKeys } from './operations/list-keys.ts';
import { listSessions } from './operations/list-sessions.ts';
import { revokeKey } from './operations/revoke-key.ts';
import { whoAmI } from './operations/who-am-i.ts';
import { dropExpiredAnswers } from './store/kept-answers.ts';

/** Workspaces, people, keys and sessions. */
export const accountsModule = defineModule<Ground>({
  name: 'accounts',
  resources: [workspaceResource, keyResource, signedInResource],
  dependents: [keysOfBrain],
  async tidy(db, at) {
    await dropExpiredAnswers(db, at);
    await dropExpiredSecrets(db, at);
  },
  operations: ({ config, modules }) => [
    createKey(ruleNamesOf(modules)),
    listKeys,
    revokeKey,
    listSessions,
    endSession,
    whoAmI,
    createSignInLink(config.publicUrl),
  ],
});
