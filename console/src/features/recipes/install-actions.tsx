import { useQuery } from '@tanstack/react-query';
import { ArrowUpCircle, Pause, Play, RotateCw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { formatCount } from '../../design/format-count.ts';
import type { MenuAction } from '../../design/more-menu.tsx';
import { QueryResult } from '../../design/query-state.tsx';
import { useCall } from '../../design/use-call.ts';
import { useMayWrite } from '../../entities/brains.ts';
import { useHasScope } from '../../entities/me.ts';
import {
  buildUpgradeQuery,
  installRefreshes,
  runInstall,
  setInstallState,
  uninstall,
  upgradeInstall,
  type Install,
} from './requests.ts';
import { isReading } from './words.ts';

/** What a person can do with an install: read now, pause, update, uninstall. */
export function useInstallActions(install: Install, hasUpdate: boolean): { actions: MenuAction[]; dialogs: ReactNode } {
  const [dialog, setDialog] = useState<'update' | 'uninstall' | null>(null);
  const mayWrite = useMayWrite(install.brain_id);
  const mayInstall = useHasScope('recipes:install') && mayWrite;
  const mayUninstall = useHasScope('recipes:uninstall') && mayWrite;
  const reading = useCall(() => runInstall(install.install_id), {
    refreshes: installRefreshes,
    success: `${install.name} is read`,
    failure: 'It was not read',
  });
  const changing = useCall((state: 'active' | 'paused') => setInstallState(install.install_id, state), {
    refreshes: installRefreshes,
    success: ({ state }) => (state === 'paused' ? `${install.name} paused` : `${install.name} is read on its schedule`),
    failure: 'It was not changed',
  });
  const isOn = install.state === 'active' || install.state === 'failing';
  const actions: MenuAction[] = [];
  if (mayInstall && isReading(install)) {
    actions.push({ label: 'Read now', icon: <RotateCw />, onSelect: () => reading.call() });
    if (isOn) actions.push({ label: 'Pause', icon: <Pause />, onSelect: () => changing.call('paused') });
    else actions.push({ label: 'Activate', icon: <Play />, onSelect: () => changing.call('active') });
  }
  if (mayInstall && hasUpdate)
    actions.push({ label: 'Update', icon: <ArrowUpCircle />, onSelect: () => setDialog('update') });
  if (mayUninstall)
    actions.push({ label: 'Uninstall', icon: <Trash2 />, isDanger: true, onSelect: () => setDialog('uninstall') });
  const close = () => setDialog(null);
  return {
    actions,
    dialogs: (
      <>
        {dialog === 'update' && <UpdateDialog of={install} onClose={close} />}
        <UninstallDialog of={install} isOpen={dialog === 'uninstall'} onClose={close} />
      </>
    ),
  };
}

/** Shows what an update changes and which changes of people it keeps. */
function UpdateDialog({ of: install, onClose }: { of: Install; onClose: () => void }) {
  const query = useQuery(buildUpgradeQuery(install));
  const upgrading = useCall(() => upgradeInstall(install, query.data?.seen), {
    refreshes: installRefreshes,
    success: ({ upgraded_to_version: version }) => `${install.name} updated to ${version}`,
    onSuccess: onClose,
  });
  const { change_summary: changes = [], kept = [], latest } = query.data ?? {};
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Update ${install.name}${latest ? ` to ${latest}` : ''}?`}
      description="Rows, state and team stay. Where you and the new version both changed something, yours stays."
      act="Update"
      look="primary"
      isBusy={upgrading.isBusy || query.isPending}
      error={upgrading.error}
      onConfirm={() => upgrading.call()}
    >
      <QueryResult query={query} noun="the update">
        <ul className="max-h-60 list-disc space-y-1 overflow-y-auto pl-5 text-sm wrap-anywhere">
          {changes.map((change) => (
            <li key={change.field}>{change.field}</li>
          ))}
        </ul>
        {kept.length > 0 && <p className="text-sm text-soft">Yours stays in {formatCount(kept.length, 'field')}.</p>}
      </QueryResult>
    </ConfirmDialog>
  );
}

function UninstallDialog({ of: install, isOpen, onClose }: { of: Install; isOpen: boolean; onClose: () => void }) {
  const removing = useCall(() => uninstall(install.entity_id), {
    refreshes: installRefreshes,
    success: ({ uninstalled, kept }) => [
      uninstalled.length > 1
        ? `${formatCount(uninstalled.length, 'install')} uninstalled`
        : `${install.name} uninstalled`,
      kept.length ? `${kept.map(({ name }) => name).join(', ')} stays, because other installs need it.` : undefined,
    ],
    onSuccess: onClose,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Uninstall ${install.name}?`}
      description="It stops at once and disappears from lists. You can recover it for 7 days."
      act="Uninstall"
      isBusy={removing.isBusy}
      error={removing.error}
      onConfirm={() => removing.call()}
    />
  );
}
