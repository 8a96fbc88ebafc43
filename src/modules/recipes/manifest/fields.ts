// The fields that recipes of all kinds have.
import { variableName } from '#modules/variables';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { recipeKinds } from './kinds.ts';
import { recipeAction } from './recipe-action.ts';

export const slug = z
  .string()
  .max(100)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower case letters and digits with single hyphens, such as weekly-review')
  .refine((given) => given !== 'brain' && given !== 'account', 'is a name that templates use; choose another one')
  .describe('The name in addresses and calls. Unique in the workspace.');

export const version = z
  .string()
  .max(29)
  .regex(/^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/, 'must be a version of three numbers, such as 1.2.0');

export const inputName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be lower case letters, digits and _');

const inputTypes = ['text', 'number', 'boolean'] as const;
export const inputValue = z.union([z.string().max(8_192), z.number(), z.boolean()]);
export type InputValue = z.output<typeof inputValue>;

/** What the installer is asked. */
const input = z
  .strictObject({
    name: inputName,
    description: z.string().max(1_000).default(''),
    type: z.enum(inputTypes).default('text'),
    default: inputValue.optional(),
    required: z.boolean().default(false),
  })
  .refine(({ type, default: usual }) => usual === undefined || isInputOfType(type, usual), {
    path: ['default'],
    error: 'must be of the type of the input',
  });
export type RecipeInput = z.output<typeof input>;

/** Whether a value is of the type of an input. */
export function isInputOfType(type: (typeof inputTypes)[number], value: unknown): value is InputValue {
  return typeof value === (type === 'text' ? 'string' : type);
}

const secret = z.strictObject({ name: variableName, description: z.string().max(500).default('') });
const account = z.strictObject({
  provider: z.string().min(1).max(100).describe('A source of `list_integrations`, such as gmail.'),
  reason: z.string().max(500).optional(),
});
const dependency = z.strictObject({
  slug,
  min_version: version.optional(),
  reason: z.string().max(500).optional(),
});
const part = z.strictObject({ slug, min_version: version.optional() });
export type RecipePart = z.output<typeof part>;
export type RecipeDependency = z.output<typeof dependency>;

const previewImage = z
  .string()
  .max(limits.previewBytes)
  .regex(
    /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
    'must be a data address of a PNG, JPEG or WebP image',
  )
  .describe('data:image/png;base64,…');

/** The fields that recipes of all kinds have. */
export const sharedFields = {
  slug,
  name: z.string().trim().min(1).max(200),
  description: z.string().trim().max(5_000).default(''),
  kind: z.enum(recipeKinds).default('integration'),
  version: version.optional().describe('Absent: the next patch of the present version, or 1.0.0.'),
  category: z.string().trim().min(1).max(60).optional(),
  tags: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
  author: z.string().trim().min(1).max(200).optional().describe('Absent: the name of the publisher.'),
  preview_image: previewImage.optional(),
  depends: z
    .array(dependency)
    .max(limits.dependencies)
    .default([])
    .describe('Recipes that are installed first. {{ids.<slug>}} is what each of them made.'),
  inputs: z
    .array(input)
    .max(limits.inputs)
    .default([])
    .describe('What the installer is asked. {{inputs.<name>}} is the value.'),
  secrets: z.array(secret).max(50).default([]).describe('Variables that the installer needs.'),
  actions: z
    .array(recipeAction)
    .max(20)
    .default([])
    .describe('What agents may draft through an install, with act_on_integration. A person approves each draft.'),
  accounts: z.array(account).max(20).default([]).describe('Accounts that the installer links.'),
};

/** The parts of a bundle. */
export const parts = z.array(part).min(1).max(limits.parts).describe('The recipes of a bundle.');
