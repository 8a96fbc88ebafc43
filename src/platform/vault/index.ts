export { createExternalVault, type ExternalVaultConfig } from './external-vault.ts';
export { checkRootKeys, giveUpRootKeys, rootKeyIdsQuery } from './check-root-keys.ts';
export { createForgetting } from './forgetting.ts';
export { foundRootKey, generatedRootKey, localRootKey, type KeyWrapper } from './root-key.ts';
export { createVault, type Place, type Vault } from './vault.ts';
