import { AppError, publicError } from '#kernel/errors';
import type { Execute } from '#kernel/execute';
import type { Operation } from '#kernel/operation';
import type { ReportBug } from '#faces/web';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { createProgress } from './progress.ts';
import { errorResult, successResult } from './result.ts';
import type { ToolCall } from './tool.ts';

/** Runs an operation for a `tools/call`. Never throws: an error is a result, and a bug is told to the log once. */
export type RunOperation = (operation: Operation, input: unknown, call: ToolCall) => Promise<CallToolResult>;

export function createRunOperation({ execute, reportBug }: { execute: Execute; reportBug: ReportBug }): RunOperation {
  return async function runOperation(operation, input, { request: { caller, requestId }, context }) {
    const progress = createProgress(context);
    try {
      const output = await execute({ operation, input, caller, requestId, progress: progress.report });
      await progress.sent();
      return successResult(output as object); // an operation's output is an object, as its REST body is
    } catch (error) {
      await progress.sent();
      if (!(error instanceof AppError)) reportBug(error, { request_id: requestId, path: `tool ${operation.name}` });
      return errorResult(publicError(error, requestId), requestId);
    }
  };
}
