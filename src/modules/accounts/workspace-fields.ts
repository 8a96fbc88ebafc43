import { z } from 'zod';

export const workspaceName = z.string().trim().min(1).max(120).describe('What people call it, such as a company.');
