// Every answer that a test gets must fit the schema that its operation publishes, as a client with a JSON Schema validator sees it.
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type PublishedOperation = { name: string; output: object };

const ajv = new Ajv2020({ strict: false, logger: false });
addFormats.default(ajv);
const compiled = new Map<string, ValidateFunction>();
let schemas: ReadonlyMap<string, object> | undefined;

/** Throws when the answer does not fit the published schema. Operations that tests add publish none. */
export function checkAnswer(operation: string, body: unknown): void {
  const validate = compiled.get(operation) ?? compile(operation);
  if (!validate || validate(body)) return;
  const errors = ajv.errorsText(validate.errors, { dataVar: 'answer' });
  throw new Error(`${operation} breaks its published schema (is catalogue.json current?): ${errors}`);
}

function compile(operation: string): ValidateFunction | undefined {
  schemas ??= readSchemas();
  const output = schemas.get(operation);
  if (!output) return undefined;
  const validate = ajv.compile(output);
  compiled.set(operation, validate);
  return validate;
}

/** The catalogue is what clients read; a test holds it to the code. */
function readSchemas(): ReadonlyMap<string, object> {
  const text = readFileSync(new URL('../../catalogue.json', import.meta.url), 'utf8');
  const { operations } = JSON.parse(text) as { operations: PublishedOperation[] }; // written by scripts/write-catalogue.ts
  return new Map(operations.map(({ name, output }) => [name, output]));
}
