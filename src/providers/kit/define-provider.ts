import type { Action } from '#kernel/action';
import type { Provider } from '#kernel/provider';
import type { Source } from '#providers/reading';

/** A provider: its accounts, its sources and its actions. */
export type ProviderParts = {
  account: Provider;
  sources: readonly Source[];
  actions: readonly Action[];
  /** How it is listed among the integrations, when it has no source of its own. */
  listed?: ListedSource;
};

/** The facts that the list of integrations shows. */
export type ListedSource = Pick<
  Source,
  'name' | 'label' | 'description' | 'provider' | 'scopes' | 'linkedBy' | 'supports'
>;

/** Declares a provider. A source can be acted on when there is an action for it. */
export function defineProvider({ sources, ...parts }: ProviderParts): ProviderParts {
  const canAct = (name: string) => parts.actions.some(({ source }) => source === name);
  return {
    ...parts,
    sources: sources.map((source) => ({ ...source, supports: { ...source.supports, act: canAct(source.name) } })),
  };
}
