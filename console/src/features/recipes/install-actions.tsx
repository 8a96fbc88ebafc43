import { ArrowUpCircle, Pause, Play, RotateCw, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../design/confirm-dialog.tsx';
import { formatCount } from '../../design/format-count.ts';
import type { MenuAction } from '../../design/more-menu.tsx';
import { useCall } from '../../design/use-call.ts';
import { useMayWrite } from '../../entities/brains.ts';
import { useHasScope } from '../../entities/me.ts';
import { installRefreshes, runInstall, setInstallState, uninstall, type Install } from './requests.ts';
import { UpgradeDialog } from './upgrade-dialog.tsx';
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
        {dialog === 'update' && <UpgradeDialog of={install} onClose={close} />}
        <UninstallDialog of={install} isOpen={dialog === 'uninstall'} onClose={close} />
      </>
    ),
  };
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
