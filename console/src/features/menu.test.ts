import { expect, test } from 'vitest';
import { ownerScopes, listRoleScopes } from '#kernel/scopes';
import { buildNavigation, findPosition } from '../routing/navigation.ts';
import { menu } from './index.ts';

function listPlaces(scopes: readonly string[]): string[] {
  return buildNavigation(menu, scopes).flatMap(({ places }) => places.map(({ label }) => label));
}

test('an owner sees every place that has a page, in the order of the structure', () => {
  const groups = buildNavigation(menu, ownerScopes);
  const lines = groups.map(({ title, places }) =>
    [title, ...places.map(({ label, entries }) => [label, ...entries.map((entry) => entry.label)].join(' '))].join('|'),
  );
  expect(lines).toEqual([
    '|Home Home|Inbox Drafts To sort Activity',
    'Knowledge|Memory List Clean up|Library Pages Documents Conversations|Brains Brains',
    'Build|Codex Recipes Installed|Boards Boards|Automations Automations|Workflows Workflows',
    'Connect|Agents Agents Permission sets|Integrations Accounts Sources Destinations',
    'Control|Rules Rules Approvers|Secrets Secrets',
    'Workspace|People People|Usage Usage|Settings Settings',
    'My account|My account Profile Notifications',
  ]);
});

test('each key leads to one page, and each address has one entry', () => {
  const keys = menu.flatMap(({ key }) => key ?? []);
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(menu.map(({ to }) => to)).size).toBe(menu.length);
});

test('a page whose permission is missing is not shown', () => {
  expect(listPlaces(listRoleScopes('member'))).toContain('People');
  expect(listPlaces(listRoleScopes('member'))).not.toContain('Settings');
  expect(listPlaces(['brains:read'])).toEqual(['Home', 'Brains', 'People', 'My account']);
});

test('a page below an entry belongs to the entry with the longest address', () => {
  const navigation = buildNavigation(menu, ownerScopes);
  const labels = [
    '/library/0199-a',
    '/library/documents/0199-b',
    '/memory/clean-up/contradictions',
    '/destinations',
    '/agents/connect',
    '/',
  ].map((path) => findPosition(navigation, path)?.entry.label);
  expect(labels).toEqual(['Pages', 'Documents', 'Clean up', 'Destinations', 'Agents', 'Home']);
  expect(findPosition(navigation, '/elsewhere')).toBeUndefined();
});
