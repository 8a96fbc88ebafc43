// Undoes a write: restores the former state.
import type { Action } from '#kernel/action';
import { AppError } from '#kernel/errors';
import type { z } from 'zod';
import {
  type Api,
  createProviderApi,
  isNotFound,
  nothing,
  type ProviderApi,
  type Reach,
  type Request,
} from '#providers/http';
import type { Payload } from './payload.ts';
import type { AnyWrite } from './write.ts';

/** How a write is undone. `says`: the question to the person. `forMinutes`: how long undo is possible. */
export type Undo<Input, Of> = {
  says: string;
  forMinutes: number;
  /**
   * Requests that restore the former state, each with the schema of its answer. `result`: the result of the write. An
   * empty list: nothing was changed, so nothing can be undone. Sending a request twice does no harm.
   */
  steps(
    input: Input,
    of: Of & { result: Readonly<Record<string, string>> },
  ): readonly (Request & { answer?: z.ZodType })[];
  /** Whether the created item still exists although the provider did not find it. Absent: the look-up decides. */
  isThere?(api: ProviderApi, input: Input, of: Of): Promise<boolean>;
};

/** Whether a list still contains the created item. */
export type IsListed = (reach: Reach, input: Payload, handle: Record<string, unknown>) => Promise<boolean>;

/** Creates the undo of an action. A missing item counts as undone once no list contains it. */
export function createUndo(
  api: Api,
  { says, forMinutes, steps }: NonNullable<AnyWrite['undo']>,
  isListed: IsListed,
): NonNullable<Action<z.ZodObject, Reach>['undo']> {
  const buildSteps = (input: Payload, { handle, result }: SentWrite) =>
    steps(input, { ...handle, result } as UndoInput); // made by `prepare`
  return {
    says,
    forMinutes,
    applies: (input, done) => buildSteps(input, done).length > 0,
    async run(reach, input, done) {
      for (const { answer = nothing, ...request } of buildSteps(input, done)) {
        try {
          await createProviderApi(api, reach).write(answer, request);
        } catch (error) {
          if (!isNotFound(error)) throw error;
          if (await isListed(reach, input, done.handle))
            throw new AppError('upstream_failed', 'The provider says that it does not exist, but still lists it.');
        }
      }
    },
  };
}

type SentWrite = { handle: Record<string, unknown>; result: Record<string, unknown> };
type UndoInput = Parameters<NonNullable<AnyWrite['undo']>['steps']>[1];
