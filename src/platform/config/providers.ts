// The settings that the operator has for each provider, generated from the list of providers.
import { trimLetters } from '#kernel/trim-end';
import { z } from 'zod';
import type { Setting } from './settings.ts';

/** What the operator can set for a provider. */
export type ConfigurableProvider = {
  name: string;
  label: string;
  /** Whether its hosts are known, so that one address can replace all of them. */
  hasHosts: boolean;
  /** Whether the server may have an OAuth client there. */
  hasClient: boolean;
};

/** The operator's settings for a provider. */
export type ProviderConfig = { baseUrl: string | null; clientId: string | null; clientSecret: string | null };

const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => trimLetters(url, '/'));
const text = z.string().min(1);

/** The settings of all these providers, by the names of the variables. */
export function buildProviderSettings(providers: readonly ConfigurableProvider[]): Record<string, Setting> {
  return Object.fromEntries(
    providers.flatMap((provider) => [...buildHostSetting(provider), ...buildClientSettings(provider)]),
  );
}

function buildHostSetting({ name, label, hasHosts }: ConfigurableProvider): [string, Setting][] {
  if (!hasHosts) return [];
  const setting = {
    schema: baseUrl.optional(),
    about: `Replaces every ${label} host, for an emulator or a proxy. It may be private: only calls to ${label} go there.`,
    example: 'http://127.0.0.1:4600',
  };
  return [[buildSettingName(name, 'BASE_URL'), setting]];
}

function buildClientSettings({ name, label, hasClient }: ConfigurableProvider): [string, Setting][] {
  if (!hasClient) return [];
  const about = `This server's OAuth client at ${label}. A workspace's own client, set by \`configure_oauth_provider\`, takes precedence.`;
  return [
    [buildSettingName(name, 'CLIENT_ID'), { schema: text.optional(), about, example: '1234.apps.example.com' }],
    [
      buildSettingName(name, 'CLIENT_SECRET'),
      { schema: text.optional(), about: 'Secret of that client.', example: 'a secret' },
    ],
  ];
}

/** The values of these settings, by the names of the providers. */
export function readProviderConfigs(
  providers: readonly ConfigurableProvider[],
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ProviderConfig>> {
  const read = (name: string, kind: SettingKind) =>
    (values[buildSettingName(name, kind)] as string | undefined) ?? null; // their schemas give texts
  return Object.fromEntries(
    providers.map(({ name }) => [
      name,
      { baseUrl: read(name, 'BASE_URL'), clientId: read(name, 'CLIENT_ID'), clientSecret: read(name, 'CLIENT_SECRET') },
    ]),
  );
}

type SettingKind = 'BASE_URL' | 'CLIENT_ID' | 'CLIENT_SECRET';

function buildSettingName(name: string, kind: SettingKind): string {
  return `THALAMUS_${name.toUpperCase()}_${kind}`;
}
