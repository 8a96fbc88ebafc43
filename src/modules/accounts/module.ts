import { listRuleNames } from '#kernel/check-rules';
import { defineModule, runAfterEvents } from '#kernel/module';
import type { Ground } from '#platform';
import { newId, now } from '#platform/clock';
import { withVisibleWorkspaces } from '#platform/database';
import { dropOldMails } from '#platform/mail';
import { dropExpiredSecrets } from '#platform/one-time-secrets';
import { listPersonEnders } from './people/end-membership.ts';
import { listKeyEnders } from './keys/end-what-key-made.ts';
import { keyUsedElsewhere, peopleChanged } from './events.ts';
import {
  invitationResource,
  keyResource,
  ownWorkspaceResource,
  personResource,
  signedInResource,
  workspaceResource,
} from './ids.ts';
import { keysOfBrain } from './leave-brain.ts';
import { createMailLink, mailLinkJob } from './sign-in/mail-link.ts';
import { acceptInvitation } from './operations/accept-invitation.ts';
import { addAddress } from './operations/add-address.ts';
import { addPasskey } from './operations/add-passkey.ts';
import { addTotp } from './operations/add-totp.ts';
import { beginPasskey } from './operations/begin-passkey.ts';
import { beginTotp } from './operations/begin-totp.ts';
import { listAuthenticators } from './operations/list-authenticators.ts';
import { newRecoveryCodes } from './operations/new-recovery-codes.ts';
import { removeAddress } from './operations/remove-address.ts';
import { removeAuthenticator } from './operations/remove-authenticator.ts';
import { setPassword } from './operations/set-password.ts';
import { confirmAddress } from './operations/confirm-address.ts';
import { changePersonRole } from './operations/change-person-role.ts';
import { createKey } from './operations/create-key.ts';
import { createSignInLink } from './operations/create-sign-in-link.ts';
import { createWorkspace } from './operations/create-workspace.ts';
import { deleteWorkspace } from './operations/delete-workspace.ts';
import { endSession } from './operations/end-session.ts';
import { handOverWorkspace } from './operations/hand-over-workspace.ts';
import { invitePerson } from './operations/invite-person.ts';
import { leaveWorkspace } from './operations/leave-workspace.ts';
import { listKeys } from './operations/list-keys.ts';
import { listPeople } from './operations/list-people.ts';
import { listSessions } from './operations/list-sessions.ts';
import { listWorkspaces } from './operations/list-workspaces.ts';
import { removePerson } from './operations/remove-person.ts';
import { resendInvitation } from './operations/resend-invitation.ts';
import { narrowKey } from './operations/narrow-key.ts';
import { revokeKey } from './operations/revoke-key.ts';
import { rotateKey } from './operations/rotate-key.ts';
import { updateProfile } from './operations/update-profile.ts';
import { updateKey } from './operations/update-key.ts';
import { switchWorkspace } from './operations/switch-workspace.ts';
import { updateWorkspace } from './operations/update-workspace.ts';
import { whoAmI, whoami } from './operations/who-am-i.ts';
import { withdrawInvitation } from './operations/withdraw-invitation.ts';
import { maySignUp as mayHaveOwn } from './sign-in/sign-up.ts';
import { dropOldAttempts } from './store/attempts.ts';
import { dropExpiredAnswers } from './store/kept-answers.ts';
import { deleteWorkspace as removeWorkspace, isEnded } from './store/workspaces.ts';
import { createNotifyKeyUse } from './keys/used-elsewhere.ts';

/** Workspaces, the people in them, how they sign in, and keys. */
export const accountsModule = defineModule<Ground>({
  name: 'accounts',
  resources: [
    workspaceResource,
    ownWorkspaceResource,
    personResource,
    invitationResource,
    keyResource,
    signedInResource,
  ],
  events: [peopleChanged, keyUsedElsewhere],
  dependents: [keysOfBrain],
  async tidy(db, at) {
    await dropExpiredAnswers(db, at);
    await dropExpiredSecrets(db, at);
    await withVisibleWorkspaces(db, async () => {
      await dropOldAttempts(db);
      await dropOldMails(db);
    });
    if (await isEnded(db)) await removeWorkspace(db);
  },
  operations: ({ config, mail, modules, emitEvent, vault }) => [
    createKey(listRuleNames(modules)),
    listKeys,
    revokeKey(listKeyEnders(modules), listPersonEnders(modules)),
    rotateKey,
    narrowKey,
    updateKey,
    listSessions,
    endSession,
    whoAmI,
    whoami,
    createSignInLink(config.publicUrl),
    listWorkspaces,
    acceptInvitation({ emitEvent }),
    switchWorkspace(config.publicUrl),
    createWorkspace(config.signUp),
    updateWorkspace,
    deleteWorkspace,
    leaveWorkspace(listPersonEnders(modules)),
    handOverWorkspace,
    listPeople,
    invitePerson({ mail, publicUrl: config.publicUrl }),
    resendInvitation({ mail, publicUrl: config.publicUrl }),
    withdrawInvitation,
    changePersonRole,
    removePerson(listPersonEnders(modules)),
    listAuthenticators,
    setPassword,
    beginPasskey(config.publicUrl),
    addPasskey(config.publicUrl),
    beginTotp(vault),
    addTotp(vault),
    newRecoveryCodes,
    removeAuthenticator,
    updateProfile,
    addAddress({ mail, publicUrl: config.publicUrl }),
    confirmAddress(listPersonEnders(modules)),
    removeAddress,
  ],
  work(ground) {
    const { db, mail, config } = ground;
    if (!mail) return {};
    const { publicUrl, signUp } = config;
    const maySignUp = (email: string) => mayHaveOwn(signUp, email);
    const mailLink = createMailLink({ db, mail, publicUrl, maySignUp, now, newId });
    return {
      jobs: [{ name: mailLinkJob, run: mailLink }],
      subscribers: [runAfterEvents([keyUsedElsewhere], 'accounts.tell-of-key', createNotifyKeyUse(ground, mail))],
    };
  },
});
