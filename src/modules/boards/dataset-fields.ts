// Fields by which operations say what is read through a link.
import { z } from 'zod';

export const adapterOp = z.string().trim().min(1).max(100).describe('Such as github.list_open_prs.');
export const adapterParams = z
  .record(z.string().max(100), z.unknown())
  .default({})
  .describe('Arguments of the operation.');
