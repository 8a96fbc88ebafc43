import type { Egress } from '#platform/egress';
import type { Vault } from '#platform/vault';
import type { Consents } from './consents.ts';
import { assignPermissionSet } from './operations/assign-permission-set.ts';
import { automationSecretDelete } from './operations/automation-secret-delete.ts';
import { automationSecretList } from './operations/automation-secret-list.ts';
import { automationSecretSet } from './operations/automation-secret-set.ts';
import { createPermissionSet } from './operations/create-permission-set.ts';
import { createVariableBundleLink } from './operations/create-variable-bundle-link.ts';
import { createVariableLink } from './operations/create-variable-link.ts';
import { deletePermissionSet } from './operations/delete-permission-set.ts';
import { deleteVariable } from './operations/delete-variable.ts';
import { httpFetch } from './operations/http-fetch.ts';
import { listPermissionSets } from './operations/list-permission-sets.ts';
import { listVariables } from './operations/list-variables.ts';
import { setVariable } from './operations/set-variable.ts';

export { credentialHolders, resolveByChain } from './chain.ts';
export { createConsents, type Consents } from './consents.ts';
export type { Answered } from './resolve-handles.ts';
export { permissionSetResource, variableScopeResource } from './ids.ts';
export { describeVariables } from './in-force.ts';
export { createLinkPages, type LinkPages, type LinkView } from './link-pages.ts';
export { createPlayground, type Playground, type TrialResult } from './playground.ts';
export { knownProviders } from './providers.ts';
export { dropEndedVariableLinks } from './store/links.ts';
export { variableContents } from './store/variables.ts';

type Options = {
  vault: Vault;
  egress: Egress;
  publicUrl: string;
  consents: Pick<Consents, 'hostOf'>;
};

/** What callers can do with variables, permission sets and the secrets of automations. */
export function variableOperations({ vault, egress, publicUrl, consents }: Options) {
  return [
    setVariable(vault),
    listVariables,
    deleteVariable,
    createVariableLink(publicUrl),
    createVariableBundleLink({ publicUrl, checkUrl: egress.check, hostOf: consents.hostOf }),
    createPermissionSet(vault),
    listPermissionSets,
    assignPermissionSet,
    deletePermissionSet,
    automationSecretSet(vault),
    automationSecretList,
    automationSecretDelete,
    httpFetch({ egress, vault, publicUrl }),
  ];
}
