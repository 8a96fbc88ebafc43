export {
  defineAdapter,
  defineAdapterOperation,
  type Adapter,
  type AdapterOperation,
  type AdapterReader,
  type AdapterRow,
} from './adapter.ts';
export { openAccountReader, openPublicReader, type PublicLink } from './adapter-readers.ts';
export {
  defineProvider,
  listConfigurable,
  type GuideEntry,
  type ListedSource,
  type OwnClientProvider,
  type ProviderParts,
} from './define-provider.ts';
