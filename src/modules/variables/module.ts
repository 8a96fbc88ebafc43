import { defineModule } from '#kernel/module';
import { gateDepsOf } from '#modules/actions';
import type { Ground } from '#platform';
import { createFill, createHttpReach, httpRequest } from './requests/http-request.ts';
import { getVariableConsents } from './consents/consents.ts';
import { endVariablesOfKeys, endVariablesOfPerson } from './end-person.ts';
import { variableChanged } from './events.ts';
import { permissionSetResource, variableScopeResource } from './ids.ts';
import { getBaseUrls } from './consents/providers.ts';
import { assignPermissionSet } from './operations/assign-permission-set.ts';
import { automationSecretDelete } from './operations/automation-secret-delete.ts';
import { automationSecretList } from './operations/automation-secret-list.ts';
import { createAutomationSecretSet } from './operations/automation-secret-set.ts';
import { createPermissionSet } from './operations/create-permission-set.ts';
import { createVariableBundleLink } from './operations/create-variable-bundle-link.ts';
import { createVariableLink } from './operations/create-variable-link.ts';
import { deletePermissionSet } from './operations/delete-permission-set.ts';
import { deleteVariable } from './operations/delete-variable.ts';
import { createHttpFetch } from './operations/http-fetch.ts';
import { listPermissionSets } from './operations/list-permission-sets.ts';
import { listVariables } from './operations/list-variables.ts';
import { setVariable } from './operations/set-variable.ts';
import { showDraftValues } from './operations/show-draft-values.ts';
import { updateVariable } from './operations/update-variable.ts';
import { deleteRunSecretsBefore } from './store/run-secrets.ts';
import { variableContents } from './store/variables.ts';
import type { ExchangeDeps } from './tokens/exchange.ts';

/** Longer than a run takes; afterwards tokens of runs whose process died are removed, too. */
const tokensKeptMs = 60 * 60 * 1_000;

function getDoors({ egress, vault, transactions, config }: Ground): ExchangeDeps {
  return { egress, vault, transactions, baseUrls: getBaseUrls(config) };
}

/** Values by name for a person, a brain or the workspace, permission sets, and the secrets of automations. */
export const variablesModule = defineModule<Ground>({
  name: 'variables',
  resources: [permissionSetResource, variableScopeResource],
  events: [variableChanged],
  contents: [variableContents],
  actions: {
    all: [httpRequest],
    reach: (ground) => createHttpReach(getDoors(ground)),
    fill: (ground) => createFill(getDoors(ground)),
  },
  tidy: (db, at) => deleteRunSecretsBefore(db, new Date(at.getTime() - tokensKeptMs)),
  endPerson: endVariablesOfPerson,
  endKeys: endVariablesOfKeys,
  reads: ['http'],
  operations(ground) {
    const {
      vault,
      egress,
      config: { publicUrl },
    } = ground;
    return [
      setVariable({ vault, publicUrl }),
      updateVariable(vault),
      showDraftValues(vault),
      listVariables,
      deleteVariable,
      createVariableLink(publicUrl),
      createVariableBundleLink({ publicUrl, checkUrl: egress.check, getHost: getVariableConsents(ground).getHost }),
      createPermissionSet(vault),
      listPermissionSets,
      assignPermissionSet,
      deletePermissionSet,
      createAutomationSecretSet({ vault, publicUrl }),
      automationSecretList,
      automationSecretDelete,
      createHttpFetch({ ...getDoors(ground), gate: gateDepsOf(ground) }),
    ];
  },
});
