// Takes back what a write did, to what was there before.
import type { Action } from '#kernel/action';
import { AppError } from '#kernel/errors';
import type { z } from 'zod';
import { type Api, apiFor, isNotFound, nothing, type ProviderApi, type Reach, type Request } from '#providers/http';
import type { Payload } from './payload.ts';
import type { AnyWrite } from './write.ts';

/** How a write is taken back, as people are told it, for so many minutes. */
export type Undo<Input, Of> = {
  says: string;
  forMinutes: number;
  /**
   * Requests that restore what was there, with what each has to answer; `result` is what was told of the write. None: everything is as
   * it was before, so that there is nothing to take back. Each can be sent twice.
   */
  steps(
    input: Input,
    of: Of & { result: Readonly<Record<string, string>> },
  ): readonly (Request & { answer?: z.ZodType })[];
  /** Whether what was made is still there, when the provider says that it is not; absent: as the look-up says. */
  isThere?(api: ProviderApi, input: Input, of: Of): Promise<boolean>;
};

/** Whether a list still has what was made. */
export type IsListed = (reach: Reach, input: Payload, handle: Record<string, unknown>) => Promise<boolean>;

/** Makes the undo of an action. What is not there any more counts as taken back, once a list does not have it either. */
export function undoFor(
  api: Api,
  { says, forMinutes, steps }: NonNullable<AnyWrite['undo']>,
  isListed: IsListed,
): NonNullable<Action<z.ZodObject, Reach>['undo']> {
  const stepsFor = (input: Payload, { handle, result }: Done) => steps(input, { ...handle, result } as Of); // made by `prepare`
  return {
    says,
    forMinutes,
    applies: (input, done) => stepsFor(input, done).length > 0,
    async run(reach, input, done) {
      for (const { answer = nothing, ...request } of stepsFor(input, done)) {
        try {
          await apiFor(api, reach).write(answer, request);
        } catch (error) {
          if (!isNotFound(error)) throw error;
          if (await isListed(reach, input, done.handle))
            throw new AppError('upstream_failed', 'The provider says that it is not there, and lists it all the same.');
        }
      }
    },
  };
}

type Done = { handle: Record<string, unknown>; result: Record<string, unknown> };
type Of = Parameters<NonNullable<AnyWrite['undo']>['steps']>[1];
