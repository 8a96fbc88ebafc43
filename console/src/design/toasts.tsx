import { Toast } from '@base-ui/react/toast';
import { Check, CircleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatErrorMessage } from '../api/api-error.ts';

const manager = Toast.createToastManager();

/** Shows a success message, which screen readers read out. A repeated message replaces the former one. */
export function notifySuccess(title: string, description = ''): void {
  manager.add({ id: title, title, description, type: 'done' });
}

/** Shows a success message with an undo button. It stays longer. */
export function notifyUndoable(title: string, description: string, undo: () => void): void {
  const id = manager.add({
    title,
    description,
    type: 'done',
    timeout: 12_000,
    actionProps: {
      children: 'Undo',
      onClick() {
        manager.close(id);
        undo();
      },
    },
  });
}

/** Shows an error with the server's message. */
export function notifyFailure(title: string, error: unknown): void {
  manager.add({ title, description: formatErrorMessage(error), type: 'failed', priority: 'high', timeout: 10_000 });
}

/** Shows the toasts; used once, around the whole console. They are above the button bars at the bottom of pages. */
export function ToastArea({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={5}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-3 bottom-44 z-60 flex flex-col gap-2 sm:inset-x-auto sm:right-5 sm:w-90 md:bottom-20">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={['down', 'right']}
      className="rounded-xl border border-line bg-raised shadow-lift transition-[opacity,translate] duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-2.5 py-3 pr-2 pl-3.5">
        {toast.type === 'failed' ? (
          <CircleAlert className="mt-0.5 size-4 shrink-0 text-stop" aria-hidden />
        ) : (
          <Check className="mt-0.5 size-4 shrink-0 text-go" aria-hidden />
        )}
        <div className="min-w-0 flex-1 wrap-anywhere">
          <Toast.Title className="text-sm font-medium" />
          <Toast.Description className="mt-0.5 text-[13px] leading-relaxed text-soft" />
        </div>
        <Toast.Action className="h-7 shrink-0 rounded-md px-2 text-[13px] font-medium text-go hover:bg-hover" />
        <Toast.Close
          aria-label="Dismiss"
          className="grid size-7 place-items-center rounded-md text-faint hover:bg-hover"
        >
          <X className="size-3.5" aria-hidden />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
