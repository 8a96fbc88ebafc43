import type { z } from 'zod';

/** The supported protocols; the last one is that of most local servers and gateways. */
export const llmProviders = ['anthropic', 'openai', 'groq', 'openai-compatible'] as const;
export type LlmProvider = (typeof llmProviders)[number];

/** Which model, and whose. */
export type ModelName = { provider: LlmProvider; model: string };

/** A model of this server. `isPrivate`: its address is one of this machine or of a private network. */
export type Model = ModelName & { isPrivate: boolean };

/** The tokens of a question. `input` includes those read from the provider's cache and those written to it. */
export type Tokens = { input: number; cachedInput: number; cacheWrite: number; output: number };

/** A turn of a conversation; the last one is the person's. */
export type Message = { role: 'user' | 'assistant'; content: string };

export type Question = {
  system?: string;
  /** The question, or the conversation that it ends. */
  prompt: string | readonly Message[];
  /** A short turn: the fast model answers it, where one is set. */
  isShort?: boolean;
  maxOutputTokens?: number;
  /** From 0 to 1; the provider's default if absent. */
  temperature?: number;
  /** For one attempt, to the last byte of its answer; 60,000 by default. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called once, as soon as the provider has reported it, of failed questions too. */
  onSpent?: (tokens: Tokens) => void;
  /** Called when the answer in words ends at `maxOutputTokens`: it is then given as far as it goes. Without this, that is an error. */
  onCut?: () => void;
};

/** One question under way. */
export type MeteredQuestion = {
  /** The tokens that the provider reported. */
  spent(tokens: Tokens): void;
  /** Called once at its end. Null: it was answered. */
  end(error: unknown): Promise<void>;
};

/**
 * Accounts for questions. No model is asked without one: it is asked first, with the most tokens that the question can
 * use, and throws where the question may not be asked.
 */
export type Meter = { begin(question: { model: Model; most: Tokens }): Promise<MeteredQuestion> };

/** A reader of a streamed answer stopped before its end. */
export const stoppedReading = Symbol('The answer was not read to its end.');

/** Asks models. Every question throws `LlmFailure` when there is no usable answer. */
export type ModelAccess = {
  /**
   * Asks for an answer in a schema. Every field must be required (nullable where it may be missing): some providers
   * insist.
   */
  object<Answer>(question: Question & { schema: z.ZodType<Answer> }): Promise<Answer>;
  text(question: Question): Promise<string>;
  /** The answer while it is written, piece by piece. A reader that stops also stops the model. */
  stream(question: Question): AsyncGenerator<string, void, undefined>;
};

/** Language models. Everything works without one; with one, free-text requests are understood better. */
export type Llm = {
  /** Which model would answer. */
  getModel(question: Pick<Question, 'isShort'>): Model;
  /** The models, with every question accounted for by a meter. */
  by(meter: Meter): ModelAccess;
};
