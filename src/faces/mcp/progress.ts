import type { CallContext } from '#kernel/context';
import type { ServerContext } from '@modelcontextprotocol/server';

/** Where a call's progress goes; `sent` resolves when all of it has left, which has to be before the result does. */
export type Progress = { report: CallContext['progress']; sent(): Promise<unknown> };

/** Progress as MCP notifications; silent unless the client sent a progress token. */
export function createProgress({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  const notices: Promise<void>[] = [];
  return {
    report(done, total, message) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress: done, ...(total !== null && { total }), message };
      notices.push(mcpReq.notify({ method: 'notifications/progress', params }));
    },
    // A notice fails only when the client has gone; whether the call succeeds does not depend on it.
    sent: () => Promise.allSettled(notices),
  };
}
