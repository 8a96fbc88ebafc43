// The settings that every provider of linked accounts has, made from one list.
import { trimLetters } from '#kernel/trim-end';
import { z } from 'zod';

/** Providers that the operator can set, by the name their settings have. */
const names = {
  google: 'Google',
  github: 'GitHub',
  linear: 'Linear',
  monday: 'Monday',
  notion: 'Notion',
  slack: 'Slack',
  microsoft: 'Microsoft',
  discord: 'Discord',
  telegram: 'Telegram',
  hubspot: 'HubSpot',
} as const;

type Name = keyof typeof names;
type ProviderSettingKind = 'BASE_URL' | 'CLIENT_ID' | 'CLIENT_SECRET';
type Key = `THALAMUS_${Uppercase<Name>}_${ProviderSettingKind}`;
type Setting = { schema: z.ZodOptional<z.ZodType<string>>; about: string; example: string };

/** The operator's settings for a provider. */
export type ProviderConfig = { baseUrl: string | null; clientId: string | null; clientSecret: string | null };

/** Telegram has bots with tokens, and no OAuth; consents at HubSpot need a person's own client. */
const withoutClient: readonly Name[] = ['telegram', 'hubspot'];

const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => trimLetters(url, '/'));
const text = z.string().min(1);

export const providerSettings = Object.fromEntries(
  (Object.keys(names) as Name[]).flatMap((name) => buildProviderSettings(name)), // keys of a literal object are its names
) as Record<Key, Setting>; // made from the very names that the type is made from

function buildProviderSettings(name: Name): [string, Setting][] {
  const label = names[name];
  const base: Setting = {
    schema: baseUrl.optional(),
    about: `Stands in for every ${label} host, for an emulator or a proxy. It may be private: only ${label} calls go there.`,
    example: 'http://127.0.0.1:4600',
  };
  if (withoutClient.includes(name)) return [[buildSettingName(name, 'BASE_URL'), base]];
  const about = `${label} OAuth client of this server; a workspace's own, set by \`configure_oauth_provider\`, wins.`;
  return [
    [buildSettingName(name, 'BASE_URL'), base],
    [buildSettingName(name, 'CLIENT_ID'), { schema: text.optional(), about, example: '1234.apps.example.com' }],
    [
      buildSettingName(name, 'CLIENT_SECRET'),
      { schema: text.optional(), about: 'Secret of that client.', example: 'a secret' },
    ],
  ];
}

/** The settings of all providers, by their names. */
export function readProviderConfigs(values: Partial<Record<Key, string | undefined>>): Record<Name, ProviderConfig> {
  const read = (name: Name, kind: ProviderSettingKind) => values[buildSettingName(name, kind)] ?? null;
  const entries = (Object.keys(names) as Name[]).map((name) => [
    name,
    { baseUrl: read(name, 'BASE_URL'), clientId: read(name, 'CLIENT_ID'), clientSecret: read(name, 'CLIENT_SECRET') },
  ]);
  return Object.fromEntries(entries) as Record<Name, ProviderConfig>; // one entry for each name
}

function buildSettingName(name: Name, kind: ProviderSettingKind): Key {
  return `THALAMUS_${name.toUpperCase() as Uppercase<Name>}_${kind}`;
}
