export {
  defineProvider,
  listConfigurable,
  type GuideEntry,
  type ListedSource,
  type OwnClientProvider,
  type ProviderParts,
} from './define-provider.ts';
