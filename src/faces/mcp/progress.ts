import type { CallContext } from '#kernel/context';
import type { ServerContext } from '@modelcontextprotocol/server';

/** Where a call's progress is sent. `sent` resolves when all progress was sent, which must precede the result. */
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
    // A notification fails only when the client has disconnected; the call can still succeed.
    sent: () => Promise.allSettled(notices),
  };
}
