/** Which part of the product asked a language model. Every question has one of these. */
export const llmTags = [
  'act_on_integration',
  'automation',
  'board_form_intake',
  'board_skill',
  'chat_title',
  'embedding',
  'model_check',
  'telegram',
] as const;

export type LlmTag = (typeof llmTags)[number];
