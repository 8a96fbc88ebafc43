import { z } from 'zod';

export const brainNameField = z.string().trim().min(1).max(200);
export const description = z
  .string()
  .max(4_000)
  .describe('What belongs here. Memories are routed by it, so say it well.');
export const routingRules = z
  .string()
  .max(8_000)
  .describe('Where what belongs, such as «Call scripts stay here. Competitive intel → Market Brain.»');
export const language = z
  .string()
  .max(3)
  .regex(/^[a-z]{2,3}$/, 'must be an ISO 639 code of two or three letters, such as en or de')
  .describe('What its memories are mostly written in, as ISO 639-1 says it. Search finds forms of a word by it.');
