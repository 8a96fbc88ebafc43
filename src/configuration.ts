// The settings of the product: those of the platform, and those of every provider in the list.
import { createConfiguration } from '#platform/config';
import { configurableProviders } from '#providers';

export const { settings, readConfig } = createConfiguration(configurableProviders);
