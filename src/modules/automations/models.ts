// Chooses which of the server's models answers an automation.
import { AppError } from '#kernel/errors';
import type { MeteredLlm } from '#modules/usage';
import { z } from 'zod';

/** Stands for the main model, whichever the server has. */
export const usualModel = 'claude-sonnet-4-6';

export const modelName = z
  .string()
  .min(1)
  .max(100)
  .describe("The server's main or fast model, by name. The default stands for the main model.");

type Models = Pick<MeteredLlm, 'getModel'>;

/** Whether a name stands for the fast model. Every other name stands for the main one. */
export function isFastModel(llm: Models, name: string): boolean {
  return stripReleaseDate(name) === stripReleaseDate(llm.getModel({ isShort: true }).model);
}

/** Throws `invalid_input` for a model that the server does not have. A server without models accepts every name. */
export function checkModel(llm: Models | null, name: string | undefined): void {
  if (!llm || name === undefined || name === usualModel || isFastModel(llm, name)) return;
  const [main, fast] = [llm.getModel({}).model, llm.getModel({ isShort: true }).model];
  if (stripReleaseDate(name) === stripReleaseDate(main)) return;
  const names = [...new Set([main, fast])].join(' and ');
  const message = `model: this server has ${names}. Name one of them, or leave model out. The operator sets THALAMUS_LLM_MODEL.`;
  throw new AppError('invalid_input', message);
}

/** Providers name a release by its date, such as claude-haiku-4-5-20251001. */
function stripReleaseDate(name: string): string {
  return name.replace(/-\d{8}$/, '');
}
