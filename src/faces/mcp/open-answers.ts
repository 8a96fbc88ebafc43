import { AppError } from '#kernel/errors';

/** Many agents may share a key, and each may have some calls that report progress and a subscription. */
const mostOfCaller = 100;

/** Counts the streaming answers of each caller, so that one caller leaves room for others. */
export type OpenAnswers = {
  /** Throws `rate_limited` for a caller with too many open answers. Called before the operation runs. */
  check(callerId: string): void;
  /** The same answer, counted until its stream ends or the client disconnects. */
  counted(callerId: string, answer: Response): Response;
};

export function createOpenAnswers(): OpenAnswers {
  const open = new Map<string, number>();

  function count(callerId: string, step: 1 | -1): void {
    const left = (open.get(callerId) ?? 0) + step;
    if (left > 0) open.set(callerId, left);
    else open.delete(callerId);
  }

  return {
    check(callerId) {
      if ((open.get(callerId) ?? 0) < mostOfCaller) return;
      throw new AppError(
        'rate_limited',
        `This key has ${mostOfCaller} streaming answers. Wait for some of them to end.`,
        {
          retry_after: 5,
        },
      );
    },
    counted(callerId, answer) {
      if (!answer.body || !answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
      count(callerId, 1);
      let isOpen = true;
      const end = () => {
        if (isOpen) count(callerId, -1);
        isOpen = false;
      };
      const body = answer.body.pipeThrough(new TransformStream({ flush: end, cancel: end }));
      return new Response(body, answer);
    },
  };
}
