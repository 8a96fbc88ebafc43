import { SelectField, TextField } from '../../design/field.tsx';
import type { FormFields } from '../../design/form-fields.ts';

export type RecipeInput = {
  name: string;
  description: string;
  type: string;
  required: boolean;
  default?: string | number | boolean | undefined;
};

/** A field for an input of a recipe. */
export function InputField({ of: { name, description, type, required, default: usual } }: { of: RecipeInput }) {
  const field = { name: `input.${name}`, label: formatLabel(name), hint: description, required };
  if (type === 'boolean')
    return (
      <SelectField {...field} defaultValue={String(usual ?? false)}>
        <option value="true">Yes</option>
        <option value="false">No</option>
      </SelectField>
    );
  const isNumber = type === 'number';
  return (
    <TextField
      {...field}
      defaultValue={String(usual ?? '')}
      type={isNumber ? 'number' : 'text'}
      {...(isNumber && { step: 'any' })}
    />
  );
}

/** `page_size` as “Page size”. */
function formatLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** The values of inputs as a form has them; empty ones are left out. */
export function readInputs(
  inputs: readonly Pick<RecipeInput, 'name' | 'type'>[],
  { readText }: FormFields,
): Record<string, string | number | boolean> {
  const given = inputs
    .map(({ name, type }) => [name, parseInput(type, readText(`input.${name}`))] as const)
    .filter(([, value]) => value !== '');
  return Object.fromEntries(given);
}

function parseInput(type: string, text: string): string | number | boolean {
  if (text === '') return text;
  if (type === 'boolean') return text === 'true';
  return type === 'number' ? Number(text) : text;
}
