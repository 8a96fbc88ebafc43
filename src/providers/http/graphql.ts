import { z } from 'zod';
import type { ProviderApi, Request } from './provider-api.ts';

type Variables = Readonly<Record<string, unknown>>;

/** A GraphQL API, at one path. */
export function createGraphql(path: string) {
  const request = (query: string, variables: Variables = {}) =>
    ({ method: 'POST', path, body: { query, variables } }) satisfies Request;
  const createAnswerSchema = <Shape extends z.ZodRawShape>(data: Shape) => z.object({ data: z.object(data) });
  return {
    request,
    answerOf: createAnswerSchema,
    /** Sends a query. `data`: the schema of the needed part of the answer. */
    async ask<Shape extends z.ZodRawShape>(api: ProviderApi, data: Shape, query: string, variables?: Variables) {
      return (await api.read(createAnswerSchema(data), request(query, variables))).data;
    },
    /** Sends a mutation. */
    async change<Shape extends z.ZodRawShape>(api: ProviderApi, data: Shape, query: string, variables?: Variables) {
      return (await api.write(createAnswerSchema(data), request(query, variables))).data;
    },
  };
}
