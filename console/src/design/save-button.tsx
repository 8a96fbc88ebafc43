import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ComponentProps } from 'react';
import { saveFile } from '../api/save-file.ts';
import { Button } from './button.tsx';
import { tellFailure } from './toasts.tsx';

type Props = Pick<ComponentProps<typeof Button>, 'look' | 'size' | 'children' | 'aria-label' | 'className'> & {
  /** The path of the file on this server. */
  path: string;
};

/** Saves a file of the server on this machine. */
export function SaveButton({ path, ...rest }: Props) {
  const saving = useMutation({
    mutationFn: () => saveFile(path),
    onError: (error) => tellFailure('The file was not saved', error),
  });
  return (
    <Button
      {...rest}
      isBusy={saving.isPending}
      icon={<Download className="size-4" aria-hidden />}
      onClick={() => saving.mutate()}
    />
  );
}
