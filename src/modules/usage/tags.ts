/** Which part of the product asked a language model. Every question has one of these. */
export const llmTags = [
  'act_on_integration',
  'automation_llm_complete',
  'board_form_intake',
  'board_skill',
  'chat_summary',
  'model_check',
  'telegram',
  'web_agent',
] as const;

export type LlmTag = (typeof llmTags)[number];
