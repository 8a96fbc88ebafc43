import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notifySuccess, notifyFailure } from './toasts.tsx';

/** What is said after a call: a title, or a title with a sentence. */
type CallNotice = string | readonly [title: string, description: string | undefined];

type Options<Input, Answer> = {
  /**
   * The queries that the call makes old, by the first parts of their keys: `['outputs']`. They are read again also after an error,
   * since what is shown may be why the call was refused. The call stays busy as long.
   */
  refreshes?: readonly string[] | readonly (readonly unknown[])[];
  /** Said when it succeeded. */
  success?: CallNotice | ((answer: Answer, input: Input) => CallNotice | undefined);
  /** The title of the message when it failed. Without it the caller shows `error`. */
  failure?: string;
  /** Further steps after success: closing a dialog, going to another page. */
  onSuccess?: (answer: Answer, input: Input) => unknown;
  /** Further steps after an error. */
  onError?: (error: Error, input: Input) => unknown;
};

/** A call that a person starts. */
export type Call<Input, Answer> = {
  /** Starts it. `then` follows the steps of `useCall`, while the component is still shown. */
  call: (input: Input, then?: { onSuccess?: (answer: Answer) => void }) => void;
  /** Starts it; resolves with the answer, or throws. */
  callAsync: (input: Input) => Promise<Answer>;
  isBusy: boolean;
  isSuccess: boolean;
  /** Why the last call failed. */
  error: Error | null;
  answer: Answer | undefined;
  /** What the call that is under way, or was the last, was made with. */
  input: Input | undefined;
  /** Forgets the answer and the error. */
  reset: () => void;
};

/**
 * The one hook for what a person changes: it calls an operation, says the outcome, and has the queries read again that are old
 * now. `run` calls the operation, such as `deleteDestination` of the feature's `requests.ts`.
 */
export function useCall<Input = void, Answer = unknown>(
  run: (input: Input) => Promise<Answer>,
  options: Options<Input, Answer> = {},
): Call<Input, Answer> {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: run,
    async onSuccess(answer, input) {
      const { success, onSuccess } = options;
      const said = typeof success === 'function' ? success(answer, input) : success;
      if (typeof said === 'string') notifySuccess(said);
      else if (said) notifySuccess(said[0], said[1]);
      await onSuccess?.(answer, input);
    },
    async onError(error, input) {
      if (options.failure !== undefined) notifyFailure(options.failure, error);
      await options.onError?.(error, input);
    },
    async onSettled() {
      const keys = (options.refreshes ?? []).map((key) => (typeof key === 'string' ? [key] : key));
      await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
  return {
    call: mutation.mutate,
    callAsync: mutation.mutateAsync,
    isBusy: mutation.isPending,
    isSuccess: mutation.isSuccess,
    error: mutation.error,
    answer: mutation.data,
    input: mutation.variables,
    reset: mutation.reset,
  };
}
