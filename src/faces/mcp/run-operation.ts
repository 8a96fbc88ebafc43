import { AppError, toPublicError } from '#kernel/errors';
import type { Execute } from '#kernel/execute';
import type { Operation } from '#kernel/operation';
import type { ReportBug } from '#faces/web';
import type { Question } from '#kernel/question';
import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import { findAsking, buildQuestionResult } from './asking.ts';
import { createProgress } from './progress.ts';
import { addReferenceNames } from './reference-names.ts';
import { buildErrorResult, buildSuccessResult } from './result.ts';
import type { ToolCall } from './tool.ts';

/** Runs an operation for a `tools/call`. Never throws: an error is a result, and a bug is logged once. */
export type RunOperation = (
  operation: Operation,
  input: unknown,
  call: ToolCall,
) => Promise<CallToolResult | InputRequiredResult>;

const defaultMaxBytes = 1_000_000;

/**
 * A message may be as long as the longest input of any operation; here each operation has its own limit, as in REST.
 */
function checkSize({ name, maxBodyBytes = defaultMaxBytes }: Operation, input: unknown): void {
  if (countLetters(input) <= maxBodyBytes) return;
  const message = `The input of ${name} may have at most ${maxBodyBytes} bytes. Send less, or in parts.`;
  throw new AppError('payload_too_large', message, { max_bytes: maxBodyBytes });
}

/** Deeper values are not counted: the kernel refuses them, and recursion would fail here. */
const deepest = 60;

function countLetters(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || depth > deepest) return 1;
  return Object.entries(value).reduce((sum, [name, each]) => sum + name.length + countLetters(each, depth + 1), 0);
}

export function createRunOperation({ execute, reportBug }: { execute: Execute; reportBug: ReportBug }): RunOperation {
  return async function runOperation(operation, input, { request: { caller, requestId, isJsonOnly }, context }) {
    const progress = createProgress(context);
    try {
      checkSize(operation, input);
      const questions: Question[] = [];
      const asking = findAsking(context, (question) => questions.push(question));
      const output = await execute({
        operation,
        input,
        caller,
        face: 'mcp',
        requestId,
        progress: progress.report,
        asking,
      });
      await progress.sent();
      const [question] = questions;
      if (question) return buildQuestionResult(question);
      const answer = output as object; // an operation's output is an object, like its REST body
      return buildSuccessResult(answer, isJsonOnly ? addReferenceNames(operation.name, answer) : answer);
    } catch (error) {
      await progress.sent();
      if (!(error instanceof AppError)) reportBug(error, { request_id: requestId, path: `tool ${operation.name}` });
      return buildErrorResult(toPublicError(error, requestId), requestId);
    }
  };
}
