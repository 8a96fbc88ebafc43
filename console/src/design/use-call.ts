import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isCancelled, mayMeanChange } from '../api/api-error.ts';
import { notifySuccess, notifyFailure } from './toasts.tsx';

/** The message after a call: a title, or a title with a sentence. */
type CallNotice = string | readonly [title: string, description: string | undefined];

/** What happens around a call. */
export type CallOptions<Input, Answer, Started = undefined> = {
  /**
   * The queries that the call makes outdated, by the first parts of their keys: `['outputs']`. They are read again after success, and
   * after an error that may mean a change. The call stays busy as long. A refused input leaves the page as it is.
   */
  refreshes?: readonly string[] | readonly (readonly unknown[])[];
  /** Shown after success. */
  success?: CallNotice | ((answer: Answer, input: Input) => CallNotice | undefined);
  /** The title of the message after an error. Without it the caller shows `error`. A cancelled call gives no message. */
  failure?: string;
  /** Steps before the call, such as showing its outcome at once. `onError` gets their result. */
  onStart?: (input: Input) => Started;
  /** Further steps after success: closing a dialog, going to another page. */
  onSuccess?: (answer: Answer, input: Input) => unknown;
  /** Further steps after an error. */
  onError?: (error: Error, input: Input, started: Started | undefined) => unknown;
};

/** A call that a person starts. */
export type Call<Input, Answer> = {
  /** Starts the call. `then` follows the steps of `useCall`, while the component is still mounted. */
  call: (input: Input, then?: { onSuccess?: (answer: Answer) => void }) => void;
  /** Starts it; resolves with the answer, or throws. */
  callAsync: (input: Input) => Promise<Answer>;
  isBusy: boolean;
  isSuccess: boolean;
  /** Why the last call failed. */
  error: Error | null;
  answer: Answer | undefined;
  /** The input of the running or last call. */
  input: Input | undefined;
  /** Clears the answer and the error. */
  reset: () => void;
};

/**
 * The one hook for changes by a person: it calls an operation, shows the outcome, and reads outdated queries again.
 * `run` calls the operation, such as `deleteDestination` of the feature's `requests.ts`.
 */
export function useCall<Input = void, Answer = unknown, Started = undefined>(
  run: (input: Input) => Promise<Answer>,
  options: CallOptions<Input, Answer, Started> = {},
): Call<Input, Answer> {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: run,
    onMutate: (input: Input) => options.onStart?.(input),
    async onSuccess(answer, input) {
      const { success, onSuccess } = options;
      const said = typeof success === 'function' ? success(answer, input) : success;
      if (typeof said === 'string') notifySuccess(said);
      else if (said) notifySuccess(said[0], said[1]);
      await onSuccess?.(answer, input);
    },
    async onError(error, input, started) {
      if (options.failure !== undefined && !isCancelled(error)) notifyFailure(options.failure, error);
      await options.onError?.(error, input, started);
    },
    async onSettled(_answer, error) {
      if (error && !mayMeanChange(error)) return;
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
