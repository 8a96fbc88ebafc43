import { toPrintable } from '#kernel/printable';
import { z } from 'zod';

export const workspaceName = z
  .string()
  .trim()
  .max(120)
  .overwrite((name) => toPrintable(name))
  .min(1)
  .describe('Its name for people, such as that of a company.');
