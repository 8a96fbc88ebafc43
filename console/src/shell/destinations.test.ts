import { expect, test } from 'vitest';
import { ownerScopes, listRoleScopes } from '#kernel/scopes';
import { groupsFor } from './destinations.ts';

function labels(scopes: readonly string[]): string[] {
  return groupsFor(scopes).flatMap(({ destinations }) => destinations.map(({ label }) => label));
}

test('an owner sees every page, and each has a key of its own', () => {
  const pages = groupsFor(ownerScopes).flatMap(({ destinations }) => destinations);
  expect(pages.map(({ label }) => label).join(' ')).toBe(
    'Home Inbox Memory Library Agents Integrations Rules Secrets Connectors Webhooks Automations People Brains Usage Settings',
  );
  expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length);
});

test('a page whose permission is missing is not shown', () => {
  expect(labels(listRoleScopes('member'))).toContain('People');
  expect(labels(listRoleScopes('member'))).not.toContain('Settings');
  expect(labels(['brains:read'])).toEqual(['Home', 'People', 'Brains']);
});
