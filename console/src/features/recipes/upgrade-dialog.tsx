import type { Output } from '#sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../design/form-dialog.tsx';
import { QueryResult } from '../../design/query-state.tsx';
import { Notice } from '../../design/states.tsx';
import { InputField, readInputs } from './input-fields.tsx';
import { buildUpgradeQuery, installRefreshes, upgradeInstall, type Install, type UpgradeOptions } from './requests.ts';
import { UpgradeDifference } from './upgrade-difference.tsx';

/** Shows what an upgrade changes, value by value, and upgrades exactly that. */
export function UpgradeDialog({ of: install, onClose }: { of: Install; onClose: () => void }) {
  const [options, setOptions] = useState<UpgradeOptions>({ force: false, inputs: {} });
  const query = useQuery(buildUpgradeQuery(install, options));
  const { data } = query;
  const missing = data?.missing_inputs ?? [];
  const title = `Update ${install.name}${data && data.latest !== data.installed ? ` to ${data.latest}` : ''}`;
  if (missing.length)
    return (
      <FormDialog
        key="inputs"
        onClose={onClose}
        renderAnswer={() => null}
        title={title}
        description="The new version needs more from you."
        act="Continue"
        run={async (fields) =>
          setOptions({ ...options, inputs: { ...options.inputs, ...readInputs(missing, fields) } })
        }
      >
        {missing.map((input) => (
          <InputField key={`${input.slug} ${input.name}`} of={{ ...input, required: true }} />
        ))}
      </FormDialog>
    );
  return (
    <FormDialog
      key="difference"
      onClose={onClose}
      title={title}
      description="Rows, state and team stay. Where you and the new version both changed something, yours stays."
      act="Update"
      isOff={!data || query.isPlaceholderData}
      refreshes={installRefreshes}
      success={({ upgraded_to_version: version, waiting_changes: waiting }) => [
        `${install.name} updated to ${version}`,
        waiting.length ? 'A change of its automation waits for its person.' : undefined,
      ]}
      run={() => upgradeInstall(install, { ...options, seen: data?.seen })}
    >
      <QueryResult query={query} noun="the update">
        {data && <UpgradeDifference of={data} />}
      </QueryResult>
      {data && (
        <UpgradeChoice of={data} isForced={options.force} onForce={(force) => setOptions({ ...options, force })} />
      )}
    </FormDialog>
  );
}

type ChoiceProps = { of: Preview; isForced: boolean; onForce: (isForced: boolean) => void };

function UpgradeChoice({ of: upgrade, isForced, onForce }: ChoiceProps) {
  return (
    <>
      {hasAutomations(upgrade) && (
        <Notice tone="wait">
          Automations change at once, as you see the difference here. They stay as active as they are.
        </Notice>
      )}
      {upgrade.has_user_changes && (
        <label className="flex items-start gap-2 text-sm">
          <input
            type="checkbox"
            checked={isForced}
            onChange={({ target }) => onForce(target.checked)}
            className="mt-0.5 size-4 accent-go"
          />
          Drop my changes, and make it as the new version has it
        </label>
      )}
    </>
  );
}

type Preview = Output<'check_recipe_upgrade'>;
type Changes = Pick<Preview, 'change_summary'>;

/** Whether the source, the rights or the schedule of an automation changes. */
function hasAutomations({ change_summary, parts }: Preview): boolean {
  const isOfAutomation = ({ change_summary: changes }: Changes) =>
    changes.some(({ field }) => /^(?:automations\.|code$|tool_grants|hosts|triggers|settings)/.test(field));
  return isOfAutomation({ change_summary }) || parts.some(isOfAutomation);
}
