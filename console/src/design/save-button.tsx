import { Download } from 'lucide-react';
import type { ComponentProps } from 'react';
import { saveFile } from '../api/save-file.ts';
import { Button } from './button.tsx';
import { useCall } from './use-call.ts';

type Props = Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'children' | 'aria-label' | 'className'> & {
  /** The path of the file on this server. */
  path: string;
};

/** Saves a file of the server on this machine. */
export function SaveButton({ path, ...rest }: Props) {
  const saving = useCall(() => saveFile(path), { failure: 'The file was not saved' });
  return (
    <Button
      {...rest}
      isBusy={saving.isBusy}
      icon={<Download className="size-4" aria-hidden />}
      onClick={() => saving.call()}
    />
  );
}
