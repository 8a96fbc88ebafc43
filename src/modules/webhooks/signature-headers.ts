// The headers that contain the signatures of a connector.
import { listSignings } from './store/connectors.ts';
import type { Db } from './store/tables.ts';
import type { Rule } from './signatures/rule.ts';
import { getSignatureRule } from './signatures/schemes.ts';

/** All headers that any version of a connector used for signatures; a later setting reveals none of them. */
export async function listSignatureHeaders(db: Db, connectorId: string): Promise<ReadonlySet<string>> {
  const signings = await listSignings(db, connectorId);
  return new Set(signings.flatMap((signing) => listRuleHeaders(getSignatureRule(signing, null))));
}

function listRuleHeaders(rule: Rule): readonly string[] {
  switch (rule.kind) {
    case 'hmac':
    case 'token':
      return rule.headers;
    case 'ed25519':
      return [rule.signature];
    case 'address_and_form':
      return [rule.header];
    case 'standard': // its headers have usual names
    case 'none':
      return [];
  }
}
