import { z } from 'zod';

export const brainNameField = z.string().trim().min(1).max(200);
export const description = z
  .string()
  .max(4_000)
  .describe('What belongs here. Memories are routed by this text, so be precise.');
export const routingRules = z
  .string()
  .max(8_000)
  .describe('Extra rules for what goes where, such as «Call scripts stay here. Competitive intel → Market Brain.»');
export const language = z
  .string()
  .max(3)
  .regex(/^[a-z]{2,3}$/, 'must be an ISO 639 code of two or three letters, such as en or de')
  .describe('The main language of its memories (ISO 639-1). Search uses it to find forms of a word.');
