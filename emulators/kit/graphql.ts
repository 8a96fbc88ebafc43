// GraphQL over HTTP for emulators: reading, validating, costing and running a document against a schema in SDL.
import {
  executeSync,
  getNamedType,
  getOperationAST,
  GraphQLError,
  isCompositeType,
  Kind,
  parse,
  validate,
} from 'graphql';
import type { DocumentNode, FieldNode, FragmentDefinitionNode, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { GraphQLCompositeType, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { z } from 'zod';
import { checkJson } from './body.ts';

/** A document with its variables, found valid. */
export type PreparedDocument = {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
};

/** A failure before anything ran. */
export type PrepareFailure = { kind: 'body' | 'syntax' | 'validation'; errors: readonly GraphQLError[] };

const bodyShape = z.strictObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/** Reads a JSON body and checks the document against the schema. */
export function prepare(schema: GraphQLSchema, body: string): PreparedDocument | PrepareFailure {
  const checked = checkJson(bodyShape, body);
  if (!('value' in checked)) return { kind: 'body', errors: [new GraphQLError('Must provide query string.')] };
  const { query, variables, operationName } = checked.value;
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch (error) {
    if (error instanceof GraphQLError) return { kind: 'syntax', errors: [error] };
    throw error;
  }
  const errors = validate(schema, document);
  if (errors.length > 0) return { kind: 'validation', errors };
  const operation = getOperationAST(document, operationName);
  if (!operation) return { kind: 'body', errors: [new GraphQLError('Unknown operation named.')] };
  return { document, operation, variables: variables ?? {} };
}

/** An argument's value, from the document or its variables. */
export function getArgument(field: FieldNode, name: string, variables: Record<string, unknown>): unknown {
  const value = field.arguments?.find((argument) => argument.name.value === name)?.value;
  if (value?.kind === Kind.VARIABLE) return variables[value.name.value];
  return value?.kind === Kind.INT ? Number(value.value) : undefined;
}

/** One field of a document: a leaf or object, and the fields below. */
export type VisitedField = { field: FieldNode; isObject: boolean; below: number };

/** Sums the cost of a document. `cost` is the cost of a field, given the cost of the fields below. */
export function sumFields(
  schema: GraphQLSchema,
  prepared: PreparedDocument,
  cost: (visited: VisitedField) => number,
): number {
  const { document, operation } = prepared;
  const fragments = new Map(
    document.definitions
      .filter((item): item is FragmentDefinitionNode => item.kind === Kind.FRAGMENT_DEFINITION)
      .map((item) => [item.name.value, item]),
  );
  const typeNamed = (name: string) => schema.getType(name) as GraphQLCompositeType;
  const sum = (set: SelectionSetNode, type: GraphQLCompositeType): number =>
    set.selections.reduce((total, item) => {
      if (item.kind === Kind.INLINE_FRAGMENT) {
        return total + sum(item.selectionSet, item.typeCondition ? typeNamed(item.typeCondition.name.value) : type);
      }
      if (item.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(item.name.value);
        return fragment ? total + sum(fragment.selectionSet, typeNamed(fragment.typeCondition.name.value)) : total;
      }
      const field = 'getFields' in type ? type.getFields()[item.name.value] : undefined;
      const named = field && getNamedType(field.type);
      const below = named && isCompositeType(named) && item.selectionSet ? sum(item.selectionSet, named) : 0;
      return total + cost({ field: item, isObject: item.selectionSet !== undefined, below });
    }, 0);
  const root = schema.getRootType(operation.operation);
  return root ? sum(operation.selectionSet, root) : 0;
}

/** Runs a document; resolvers are the functions of `root` and of what they return. */
export function run(
  schema: GraphQLSchema,
  prepared: PreparedDocument,
  root: unknown,
): { data: unknown; errors: readonly GraphQLError[] } {
  const { document, operation, variables } = prepared;
  const result = executeSync({
    schema,
    document,
    rootValue: root,
    variableValues: variables,
    ...(operation.name ? { operationName: operation.name.value } : {}),
  });
  return { data: result.data ?? null, errors: result.errors ?? [] };
}

/** An error as it is written, with extensions of the provider's. */
export function formatError(error: GraphQLError, extensions: Record<string, unknown>): GraphQLFormattedError {
  const { message, locations, path } = error.toJSON();
  return { message, ...(locations ? { locations } : {}), ...(path ? { path } : {}), extensions };
}
